// Accepts one integer on a line of its own, with exit code 0.
#include <iostream>
#include <string>

int main() {
    std::string line, more;
    if (!std::getline(std::cin, line) || std::getline(std::cin, more)) return 3;
    return line.empty() || line.find_first_not_of("0123456789") != std::string::npos ? 3 : 0;
}
