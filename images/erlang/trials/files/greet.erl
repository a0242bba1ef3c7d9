-module(greet).
-export([greeting/0]).

greeting() -> "Hello, world!\n".
