// A message of exponential length.
template <class A, class B> struct P {};
template <int N> auto f() {
    if constexpr (N == 0) return 0;
    else return P<decltype(f<N - 1>()), decltype(f<N - 1>())>();
}

int main() {
    int x = f<24>();
}
