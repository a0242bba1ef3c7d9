#include <stdio.h>

int main(void) {
    char line[1000];
    if (!fgets(line, sizeof line, stdin)) return 1;
    printf("ñandú: %s", line);
}
