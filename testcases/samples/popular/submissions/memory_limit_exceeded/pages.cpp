// One album page of 4 MiB after the other, every byte of it written: 1 GiB.
#include <iostream>
#include <vector>

int main() {
    std::vector<std::vector<char>> album;
    while (album.size() < 256) album.emplace_back(4 << 20, 'x');
    std::cout << album.size() << '\n';
}
