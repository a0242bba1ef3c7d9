class Program {
    static void Main() {
        int unused;
        System.Console.WriteLine("Hello, world!");
    }
}
