static class Greet {
    public static string Greeting() => "Hello, world!";
}
