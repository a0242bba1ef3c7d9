#include <stdio.h>

int main(void) {
    for (int i = 0; i < 163840; i++) printf("%063d\n", i);
}
