static inline long long twice(long long n) { return 2 * n; }
