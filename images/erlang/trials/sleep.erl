-module(main).
-export([main/0]).

main() -> timer:sleep(3600000).
