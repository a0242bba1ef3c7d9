#include </dev/random>
int puts(const char *);

int main(void) {
    puts("Hello, world!");
}
