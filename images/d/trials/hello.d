import std.stdio;

void main() {
    writeln("Hello, world!");
}
