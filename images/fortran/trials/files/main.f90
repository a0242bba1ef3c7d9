program main
  use greet
  print '(a)', greeting()
end program
