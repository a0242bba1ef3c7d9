import std.stdio;
import greet;

void main() {
    writeln(greeting());
}
