// With the shorter side as rows there are at most 50,000 bands of rows; in each, one sweep finds the narrowest window
// with all letters. h * h * w is at most 3.2e7.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    int h, w;
    std::cin >> h >> w;
    std::vector<std::string> grid(h);
    for (auto &row : grid) std::cin >> row;
    if (h > w) {
        std::vector<std::string> turned(w, std::string(h, ' '));
        for (int i = 0; i < h; i++) {
            for (int j = 0; j < w; j++) turned[j][i] = grid[i][j];
        }
        grid.swap(turned);
        std::swap(h, w);
    }
    const std::string waldo = "WALDO";
    int best = h * w + 1;
    for (int top = 0; top < h; top++) {
        std::vector<unsigned char> letters(w);  // of a column, as bits, from top to bottom
        for (int bottom = top; bottom < h; bottom++) {
            const int height = bottom - top + 1;
            for (int j = 0; j < w; j++) {
                const auto at = waldo.find(grid[bottom][j]);
                if (at != std::string::npos) letters[j] |= 1 << at;
            }
            // last[k]: the last column with letter k; the window must begin at the leftmost of them
            int last[5] = {-1, -1, -1, -1, -1};
            for (int j = 0; j < w; j++) {
                if (letters[j] == 0) continue;
                for (int k = 0; k < 5; k++) {
                    if (letters[j] >> k & 1) last[k] = j;
                }
                const int begin = *std::min_element(last, last + 5);
                if (begin >= 0) best = std::min(best, height * (j - begin + 1));
            }
        }
    }
    if (best > h * w) {
        std::cout << "impossible\n";
    } else {
        std::cout << best << '\n';
    }
}
