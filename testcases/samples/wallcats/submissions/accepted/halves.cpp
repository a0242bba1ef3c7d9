// Deals the older and the younger half of the cats alternately, one cat a line.
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    if (n == 2 || n == 3) {
        std::cout << "impossible\n";
        return 0;
    }
    const int half = n / 2;
    if (n % 2 == 1) std::cout << n << '\n';
    for (int cat = half; cat >= 1; cat--) std::cout << cat << '\n' << cat + half << '\n';
}
