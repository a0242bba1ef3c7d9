using System;
using System.Linq;
using System.Text;

class Program {
    static void Main() {
        var output = new StringBuilder();
        for (int n = int.Parse(Console.ReadLine()); n > 0; n--)
            output.Append(Console.ReadLine().Split(' ').Sum(int.Parse)).Append('\n');
        Console.Write(output);
    }
}
