-module(main).
-export([main/0]).

main() ->
    {ok, F} = file:open("/dev/stdin", [read, raw, binary, read_ahead]),
    {ok, _} = file:read_line(F),
    lines(F).

lines(F) ->
    case file:read_line(F) of
        {ok, Line} ->
            [A, B] = [binary_to_integer(W) || W <- string:lexemes(Line, " \n")],
            io:format("~b~n", [A + B]),
            lines(F);
        eof -> ok
    end.
