-module(main).
-compile({parse_transform, transform}).
-export([main/0]).

main() -> ok.
