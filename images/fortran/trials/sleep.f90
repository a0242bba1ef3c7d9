program sleeping
  call sleep(3600)
end program
