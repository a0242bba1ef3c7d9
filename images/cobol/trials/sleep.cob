identification division.
program-id. sleeping.
procedure division.
    call "C$SLEEP" using 3600.
    stop run.
