-module(main).
-export([main/0]).

main() ->
    N = 1 +, % MISTAKE
    io:format("~b~n", [N]).
