program allocating
  implicit none
  type chunk
    integer, allocatable :: words(:)
  end type
  type(chunk) :: all(4096)
  integer :: i
  do i = 1, 4096
    allocate (all(i)%words(262144))
    all(i)%words = i
  end do
  print '(a,i0)', 'Hello, world! ', all(7)%words(7)
end program
