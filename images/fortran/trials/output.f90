program printing
  implicit none
  integer :: i
  do i = 0, 163839
    print '(i63.63)', i
  end do
end program
