#include <iostream>
#include <string>

int main() {
    int n = std::string("text"); // MISTAKE
    std::cout << n << '\n';
}
