#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, a, b;
    cin >> n;
    while (n-- > 0 && cin >> a >> b) cout << a + b << '\n';
}
