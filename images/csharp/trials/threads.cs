using System;
using System.Linq;
using System.Threading;

class Program {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        var sums = new long[4];
        var threads = Enumerable.Range(0, 4).Select(k => new Thread(() => {
            for (int i = k + 1; i <= n; i += 4) sums[k] += i;
        })).ToList();
        threads.ForEach(t => t.Start());
        threads.ForEach(t => t.Join());
        Console.WriteLine(sums.Sum());
    }
}
