identification division.
program-id. caller.
data division.
working-storage section.
01 greeting pic x(13).
procedure division.
    call "greet" using greeting
    display greeting
    stop run.
