identification division.
program-id. failing.
procedure division.
    call "nowhere".
    stop run.
