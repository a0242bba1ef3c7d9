program standard_input
  implicit none
  integer :: n, i, a, b
  open(unit=10, file='/dev/stdin', action='read')
  read (10, *) n
  do i = 1, n
    read (10, *) a, b
    print '(i0)', a + b
  end do
end program
