identification division.
program-id. sums.
data division.
working-storage section.
01 line-text pic x(100).
01 a-text pic x(20).
01 b-text pic x(20).
01 n pic s9(9) comp-5.
01 total pic s9(9) comp-5.
01 shown pic -(9)9.
procedure division.
    accept line-text
    compute n = function numval(line-text)
    perform n times
        accept line-text
        unstring line-text delimited by space into a-text b-text
        compute total = function numval(a-text) + function numval(b-text)
        move total to shown
        display function trim(shown)
    end-perform
    stop run.
