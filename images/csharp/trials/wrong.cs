class Program {
    static void Main() {
        System.Console.WriteLine("Good bye!");
    }
}
