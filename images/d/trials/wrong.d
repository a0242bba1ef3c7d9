import std.stdio;

void main() {
    writeln("Good bye!");
}
