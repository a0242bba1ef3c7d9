// Lambdas within lambdas, each bound for every overload of the one around it.
using System;

class Program {
    static int M(Func<int, int> f) => 1;
    static int M(Func<string, string> f) => 2;
    static int M(Func<object, object> f) => 3;

    static void Main() {
        M(a => M(b => M(c => M(d => M(e => M(f => M(g => M(h => M(i => M(j => M(k => M(l => M(m => M(n => M(o => "")))))))))))))));
    }
}
