// Takes the letter apart into words: right until grandfather draws.
#include <cctype>
#include <iostream>
#include <sstream>
#include <string>

int main() {
    for (std::string line, word; std::getline(std::cin, line); std::cout << '\n') {
        std::istringstream words(line);
        for (const char *space = ""; words >> word; space = " ") {
            for (char &c : word) c = std::islower(c) ? std::toupper(c) : std::tolower(c);
            std::cout << space << word;
        }
    }
}
