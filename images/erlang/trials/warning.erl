-module(main).
-export([main/0]).

main() ->
    Unused = 1,
    io:format("Hello, world!~n").
