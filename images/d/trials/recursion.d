import std.stdio;

int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
}

void main() {
    int n;
    readf(" %d", &n);
    writeln(depth(n));
}
