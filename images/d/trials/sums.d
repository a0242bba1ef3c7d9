import std.stdio;

void main() {
    int n, a, b;
    readf(" %d", &n);
    foreach (_; 0 .. n) {
        readf(" %d %d", &a, &b);
        writeln(a + b);
    }
}
