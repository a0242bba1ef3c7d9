#include <iostream>

long long twice(long long n);

int main() {
    long long n;
    std::cin >> n;
    std::cout << twice(n) << "\n";
}
