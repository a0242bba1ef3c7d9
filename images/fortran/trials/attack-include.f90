program attack
  include '/proc/1/environ'
end program
