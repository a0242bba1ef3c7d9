identification division.
program-id. mistaken.
data division.
working-storage section.
01 n pic 9(9).
procedure division.
    move 1 to unknown-name *> MISTAKE
    stop run.
