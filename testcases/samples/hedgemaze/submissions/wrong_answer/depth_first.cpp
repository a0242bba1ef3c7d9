// A way, but seldom a shortest one: the validator walks it and finds it too long.
#include <iostream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> garden;
std::string way;

bool walk(std::size_t i, std::size_t j) {
    if (i >= garden.size() || j >= garden[0].size() || garden[i][j] == '#') return false;
    if (garden[i][j] == 'T') return true;
    garden[i][j] = '#';
    const std::size_t rows[] = {i - 1, i, i + 1, i}, columns[] = {j, j + 1, j, j - 1};
    for (int d = 0; d < 4; d++) {
        way.push_back("NESW"[d]);
        if (walk(rows[d], columns[d])) return true;
        way.pop_back();
    }
    return false;
}

}  // namespace

int main() {
    std::size_t h, w;
    std::cin >> h >> w;
    garden.resize(h);
    for (auto &row : garden) std::cin >> row;
    bool found = false;
    for (std::size_t i = 0; i < h && !found; i++) {
        const std::size_t j = garden[i].find('P');
        if (j != std::string::npos) found = walk(i, j);
    }
    std::cout << (found ? way : "impossible") << '\n';
}
