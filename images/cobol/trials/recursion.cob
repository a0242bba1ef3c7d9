identification division.
program-id. caller.
data division.
working-storage section.
01 line-text pic x(20).
01 n pic s9(9) comp-5.
01 total pic s9(9) comp-5 external.
01 shown pic z(8)9.
procedure division.
    accept line-text
    compute n = function numval(line-text)
    call "depth" using n
    move total to shown
    display function trim(shown)
    stop run.
end program caller.

identification division.
program-id. depth is recursive.
data division.
working-storage section.
01 total pic s9(9) comp-5 external.
local-storage section.
01 m pic s9(9) comp-5.
linkage section.
01 n pic s9(9) comp-5.
procedure division using n.
    if n = 0
        move 0 to total
        goback
    end-if
    compute m = n - 1
    call "depth" using m
    add 1 to total
    goback.
end program depth.
