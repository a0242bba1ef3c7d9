// By Dilworth's theorem the fewest drivers are as many as the largest set of customers of which no two lie on one way:
// the longest chain of customers that runs strictly down and strictly to the left.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int h, w;
    std::cin >> h >> w;
    // longest[j]: of the rows read so far and the columns from j on
    std::vector<int> longest(w + 1);
    for (std::string row; std::cin >> row;) {
        int below = 0;  // longest[j + 1] before this row
        for (int j = w - 1; j >= 0; j--) {
            const int before = longest[j];
            longest[j] = std::max({before, longest[j + 1], below + (row[j] == 'C')});
            below = before;
        }
    }
    std::cout << longest[0] << '\n';
}
