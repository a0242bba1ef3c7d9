using System;
using System.Text;

class Program {
    static void Main() {
        var output = new StringBuilder();
        for (int i = 0; i < 163840; i++) output.Append(i.ToString("D63")).Append('\n');
        Console.Write(output);
    }
}
