import std.stdio;

void main() {
    write("ñandú: ", readln());
}
