import std.stdio;

void main() {
    int[][] all;
    foreach (i; 0 .. 4096) {
        all ~= new int[1 << 18];
        all[$ - 1][] = i;
    }
    writeln("Hello, world! ", all.length);
}
