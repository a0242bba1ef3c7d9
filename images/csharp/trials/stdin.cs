using System;
using System.IO;
using System.Linq;

class Program {
    static void Main() {
        using (var input = new StreamReader(new FileStream("/dev/stdin", FileMode.Open, FileAccess.Read))) {
            for (int n = int.Parse(input.ReadLine()); n > 0; n--)
                Console.WriteLine(input.ReadLine().Split(' ').Sum(int.Parse));
        }
    }
}
