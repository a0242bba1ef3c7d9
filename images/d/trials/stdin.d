import std.stdio, std.algorithm, std.conv, std.array, std.string;

void main() {
    foreach (i, line; File("/dev/stdin").byLine.map!(l => l.idup).array)
        if (i > 0) writeln(line.split.map!(to!int).sum);
}
