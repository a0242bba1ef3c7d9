#include <iostream>
#include <vector>

int main() {
    std::vector<std::vector<int>> all;
    for (int i = 0; i < 4096; i++) all.emplace_back(1 << 18, i);
    std::cout << "Hello, world!\n";
}
