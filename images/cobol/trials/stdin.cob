identification division.
program-id. standard-input.
environment division.
input-output section.
file-control.
    select input-file assign to "/dev/stdin" organization is line sequential.
data division.
file section.
fd input-file.
01 line-text pic x(100).
working-storage section.
01 a-text pic x(20).
01 b-text pic x(20).
01 n pic s9(9) comp-5.
01 total pic s9(9) comp-5.
01 shown pic -(9)9.
procedure division.
    open input input-file
    read input-file
    compute n = function numval(line-text)
    perform n times
        read input-file
        unstring line-text delimited by space into a-text b-text
        compute total = function numval(a-text) + function numval(b-text)
        move total to shown
        display function trim(shown)
    end-perform
    close input-file
    stop run.
