#include <stdio.h>

int main(void) {
    puts("Good bye!");
}
