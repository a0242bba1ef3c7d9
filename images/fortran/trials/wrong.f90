program wrong
  print '(a)', 'Good bye!'
end program
