// Recurses as deep as the family is old: more than 100,000 calls, which needs a stack that memory alone limits.
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

std::vector<std::vector<int>> children;

int generations(int dragon) {
    int below = 0;
    for (int child : children[dragon]) below = std::max(below, generations(child));
    return below + 1;
}

}  // namespace

int main() {
    int n, parent;
    if (std::scanf("%d", &n) != 1) return 1;
    children.resize(n + 1);
    for (int dragon = 2; dragon <= n && std::scanf("%d", &parent) == 1; dragon++) children[parent].push_back(dragon);
    std::printf("%d\n", generations(1));
}
