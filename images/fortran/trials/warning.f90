program warned
  integer :: unused
  print '(a)', 'Hello, world!'
end program
