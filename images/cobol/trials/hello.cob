identification division.
program-id. hello.
procedure division.
    display "Hello, world!".
    stop run.
