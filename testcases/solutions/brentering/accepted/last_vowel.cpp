#include <iostream>
#include <string>

int main() {
    std::string name;
    std::cin >> name;
    std::cout << name.substr(0, name.find_last_of("aeiou") + 1) << "ntry\n";
}
