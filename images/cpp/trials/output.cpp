#include <iomanip>
#include <iostream>

int main() {
    std::cout << std::setfill('0');
    for (int i = 0; i < 163840; i++) std::cout << std::setw(63) << i << '\n';
}
