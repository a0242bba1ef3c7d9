#include <iostream>
#include "greet.hpp"

int main() {
    std::cout << greeting() << '\n';
}
