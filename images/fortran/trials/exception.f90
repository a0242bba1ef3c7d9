program failing
  error stop 'on purpose'
end program
