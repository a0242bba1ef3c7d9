-module(main).
-export([main/0]).

main() -> io:format("Good bye!~n").
