program utf8
  implicit none
  character(1000) :: line
  read '(a)', line
  print '(a)', 'ñandú: ' // trim(line)
end program
