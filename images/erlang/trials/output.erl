-module(main).
-export([main/0]).

main() -> [io:format("~63..0b~n", [I]) || I <- lists:seq(0, 163839)].
