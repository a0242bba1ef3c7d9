import std.stdio;

void main() {
    foreach (i; 0 .. 163_840) writefln("%063d", i);
}
