program attack
  integer :: big(500000000) = 1
  print *, big(7)
end program
