long long twice(long long n) { return n; }
