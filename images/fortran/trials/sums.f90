program sums
  implicit none
  integer :: n, i, a, b
  read *, n
  do i = 1, n
    read *, a, b
    print '(i0)', a + b
  end do
end program
