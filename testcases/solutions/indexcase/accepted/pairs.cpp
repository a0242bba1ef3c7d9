// Walks round the circle with the last two values of the state before; for each pair, the set of the pairs with which
// the walk may have begun. The state has a predecessor if some pair is reached again by a walk that began with it.
#include <bitset>
#include <iostream>
#include <vector>

int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<int> f(m * m * m), state(n);
    for (int &value : f) std::cin >> value;
    for (int &value : state) std::cin >> value;
    std::vector<std::bitset<100>> begun(m * m);
    for (int pair = 0; pair < m * m; pair++) begun[pair].set(pair);
    for (int value : state) {
        std::vector<std::bitset<100>> next(m * m);
        for (int triple = 0; triple < m * m * m; triple++) {
            if (f[triple] == value) next[triple % (m * m)] |= begun[triple / m];
        }
        begun.swap(next);
    }
    bool found = false;
    for (int pair = 0; pair < m * m; pair++) found |= begun[pair].test(pair);
    std::cout << (found ? "yes" : "no") << '\n';
}
