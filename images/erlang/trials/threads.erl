-module(main).
-export([main/0]).

main() ->
    {ok, [N]} = io:fread("", "~d"),
    Me = self(),
    [spawn(fun() -> Me ! lists:sum(lists:seq(K, N, 4)) end) || K <- [1, 2, 3, 4]],
    io:format("~b~n", [lists:sum([receive S -> S end || _ <- [1, 2, 3, 4]])]).
