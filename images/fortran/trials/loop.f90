program endless
  integer, volatile :: n = 0
  do
    n = ieor(n, 1)
  end do
end program
