#include </dev/random>
extern "C" int puts(const char *);

int main() {
    puts("Hello, world!");
}
