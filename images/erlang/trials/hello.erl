-module(main).
-export([main/0]).

main() -> io:format("Hello, world!~n").
