#include <stdio.h>
#include "greet.h"

int main(void) {
    puts(greeting());
}
