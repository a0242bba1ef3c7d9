program leave
  stop 3
end program
