program mistaken
  implicit none
  integer :: n
  n = 'text' ! MISTAKE
  print *, n
end program
