/* Waits for the evening. It uses no CPU time: only the wall clock stops it. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    sleep(60);
    printf("1\n");
    return 0;
}
