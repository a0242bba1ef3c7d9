-module(main).
-export([main/0]).

main() -> io:put_chars(greet:greeting()).
