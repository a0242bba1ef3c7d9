-module(main).
-export([main/0]).

main() -> grow(4096, []).

grow(0, All) -> io:format("Hello, world! ~b~n", [length(All)]);
grow(N, All) -> grow(N - 1, [binary:copy(<<N>>, 1 bsl 20) | All]).
