using System;
using System.Collections.Generic;

class Program {
    static void Main() {
        var all = new List<int[]>();
        for (int i = 0; i < 4096; i++) {
            var chunk = new int[1 << 18];
            for (int k = 0; k < chunk.Length; k++) chunk[k] = i;
            all.Add(chunk);
        }
        Console.WriteLine("Hello, world! " + all.Count);
    }
}
