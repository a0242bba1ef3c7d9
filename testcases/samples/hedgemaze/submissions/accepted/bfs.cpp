#include <algorithm>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

int main() {
    int h, w;
    std::cin >> h >> w;
    std::string garden(2 * w + 2 + h * (w + 1), '#');  // with a hedge around it
    const int stride = w + 1;
    for (int i = 0; i < h; i++) {
        std::string row;
        std::cin >> row;
        garden.replace((i + 1) * stride, w, row);
    }
    const int steps[] = {-stride, 1, stride, -1};
    const int start = static_cast<int>(garden.find('P')), end = static_cast<int>(garden.find('T'));
    std::vector<int> by(garden.size(), -1);
    std::queue<int> queue;
    queue.push(start);
    while (!queue.empty() && by[end] < 0) {
        const int at = queue.front();
        queue.pop();
        for (int d = 0; d < 4; d++) {
            const int to = at + steps[d];
            if (garden[to] == '#' || to == start || by[to] >= 0) continue;
            by[to] = d;
            queue.push(to);
        }
    }
    if (by[end] < 0) {
        std::cout << "impossible\n";
        return 0;
    }
    std::string way;
    for (int at = end; at != start; at -= steps[by[at]]) way += "NESW"[by[at]];
    std::reverse(way.begin(), way.end());
    std::cout << way << '\n';
}
