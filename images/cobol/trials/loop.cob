identification division.
program-id. endless.
data division.
working-storage section.
01 n pic 9(9) comp-5.
procedure division.
    perform until n = 1
        move 0 to n
    end-perform
    stop run.
