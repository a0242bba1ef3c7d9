program recursing
  implicit none
  integer :: n
  read *, n
  print '(i0)', depth(n)
contains
  recursive function depth(n) result(d)
    integer, intent(in) :: n
    integer :: d
    integer, volatile :: here
    here = n
    d = 0
    if (here > 0) d = 1 + depth(here - 1)
  end function
end program
