identification division.
program-id. utf8.
data division.
working-storage section.
01 line-text pic x(1000).
procedure division.
    accept line-text
    display "ñandú: " function trim(line-text)
    stop run.
