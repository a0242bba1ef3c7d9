// Compiles, but sum is defined nowhere: the linker refuses.
#include <iostream>

long long sum(long long a, long long b);

int main() {
    long long a, b;
    std::cin >> a >> b;
    std::cout << sum(a, b) << '\n';
}
