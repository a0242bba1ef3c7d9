module greet;

string greeting() {
    return "Hello, world!";
}
