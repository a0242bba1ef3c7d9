// Lets the cats sit down again and again: 16 MiB.
#include <cstdio>

int main() {
    for (int i = 0; i < 1 << 20; i++) std::fputs("2 4 1 3 5 7 9 6\n", stdout);
}
