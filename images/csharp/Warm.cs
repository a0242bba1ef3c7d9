using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

class Warm {
    static void Main() {
        var numbers = new List<int>();
        for (string line; (line = Console.ReadLine()) != null;) numbers.AddRange(line.Split(' ').Select(int.Parse));
        Console.Write(new StringBuilder().Append(numbers.Sum()));
    }
}
