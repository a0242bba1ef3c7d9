class Greet {
    static String greeting() { "Hello, world!" }
}
