// A tree of types, each of two others.
template <int N, int K> struct Tree {
    static constexpr long size = Tree<N - 1, 2 * K>::size + Tree<N - 1, 2 * K + 1>::size;
};
template <int K> struct Tree<0, K> {
    static constexpr long size = K;
};

int main() {
    return Tree<28, 1>::size;
}
