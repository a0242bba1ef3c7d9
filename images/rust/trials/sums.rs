use std::io::{self, BufRead, Write};

fn main() {
    let mut lines = io::stdin().lock().lines();
    let n: usize = lines.next().unwrap().unwrap().parse().unwrap();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in lines.take(n) {
        let sum: i64 = line.unwrap().split(' ').map(|w| w.parse::<i64>().unwrap()).sum();
        writeln!(out, "{}", sum).unwrap();
    }
}
