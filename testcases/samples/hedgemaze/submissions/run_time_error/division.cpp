// Divides by the number of hedges that it has never counted: SIGFPE.
#include <iostream>

int main() {
    int h, w;
    std::cin >> h >> w;
    volatile int hedges = 0;
    std::cout << h * w / hedges << '\n';
}
