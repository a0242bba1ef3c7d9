#include <iostream>

int main() {
    int unused;
    std::cout << "Hello, world!\n";
}
