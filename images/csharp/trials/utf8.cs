using System;

class Program {
    static void Main() {
        Console.WriteLine("ñandú: " + Console.ReadLine());
    }
}
