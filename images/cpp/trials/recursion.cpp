#include <iostream>

static int depth(int n) {
    volatile int here = n;
    return here == 0 ? 0 : 1 + depth(here - 1);
}

int main() {
    int n;
    std::cin >> n;
    std::cout << depth(n) << '\n';
}
