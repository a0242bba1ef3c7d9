using System;

class Program {
    static int Depth(int n) => n == 0 ? 0 : 1 + Depth(n - 1);

    static void Main() {
        Console.WriteLine(Depth(int.Parse(Console.ReadLine())));
    }
}
