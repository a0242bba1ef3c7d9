// Asserts that there are no capitals in the middle of a word: SIGABRT.
#undef NDEBUG
#include <cassert>
#include <cctype>
#include <iostream>
#include <string>

int main() {
    for (std::string word; std::cin >> word;) {
        for (std::size_t i = 1; i < word.size(); i++) assert(!std::isupper(word[i]));
        std::cout << word << '\n';
    }
}
