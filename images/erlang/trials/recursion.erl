-module(main).
-export([main/0]).

depth(0) -> 0;
depth(N) -> 1 + depth(N - 1).

main() ->
    {ok, [N]} = io:fread("", "~d"),
    io:format("~b~n", [depth(N)]).
