program hello
  print '(a)', 'Hello, world!'
end program
