identification division.
program-id. wrong.
procedure division.
    display "Good bye!".
    stop run.
