identification division.
program-id. leaving.
procedure division.
    stop run returning 3.
