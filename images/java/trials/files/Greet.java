class Greet {
    static String greeting() {
        return "Hello, world!";
    }
}
