-module(main).
-export([main/0]).

main() ->
    {ok, [N]} = io:fread("", "~d"),
    io:put_chars(lines(N, [])).

lines(0, Acc) -> lists:reverse(Acc);
lines(N, Acc) ->
    {ok, [A, B]} = io:fread("", "~d ~d"),
    lines(N - 1, [[integer_to_list(A + B), $\n] | Acc]).
