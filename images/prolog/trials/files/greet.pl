:- module(greet, [greeting/1]).

greeting("Hello, world!").
