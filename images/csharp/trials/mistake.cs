class Program {
    static void Main() {
        int n = "text"; // MISTAKE
        System.Console.WriteLine(n);
    }
}
