-module(main).
-export([main/0]).

main() -> main().
