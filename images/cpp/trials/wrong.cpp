#include <iostream>

int main() {
    std::cout << "Good bye!\n";
}
