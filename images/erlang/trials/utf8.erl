-module(main).
-export([main/0]).

main() ->
    ok = io:setopts([{encoding, unicode}]),
    io:put_chars("ñandú: " ++ io:get_line("")).
