identification division.
program-id. printing.
data division.
working-storage section.
01 i pic 9(6).
01 lead-digits pic x(57) value all "0".
procedure division.
    perform varying i from 0 by 1 until i = 163840
        display lead-digits i
    end-perform
    stop run.
