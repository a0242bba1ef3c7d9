-module(main).
-export([main/0]).
-define(A(X), (X + X)).
-define(B(X), ?A(?A(?A(?A(?A(?A(?A(?A(X))))))))).
-define(C(X), ?B(?B(?B(?B(X))))).

main() -> io:format("~p~n", [?C(1)]).
