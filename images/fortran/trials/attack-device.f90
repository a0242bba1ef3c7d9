#include "/dev/random"
program attack
end program
