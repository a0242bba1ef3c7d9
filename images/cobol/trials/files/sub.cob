identification division.
program-id. greet.
data division.
linkage section.
01 greeting pic x(13).
procedure division using greeting.
    move "Hello, world!" to greeting
    goback.
