#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<int> stamps(n);
    for (int &stamp : stamps) std::cin >> stamp;
    std::sort(stamps.begin(), stamps.end());
    int best = 0, most = 0;
    for (int i = 0, j = 0; i < n; i = j) {
        while (j < n && stamps[j] == stamps[i]) j++;
        if (j - i > most) most = j - i, best = stamps[i];
    }
    std::cout << best << '\n';
}
