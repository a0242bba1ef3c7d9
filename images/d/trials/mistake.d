import std.stdio;

void main() {
    int n = "text"; // MISTAKE
    writeln(n);
}
