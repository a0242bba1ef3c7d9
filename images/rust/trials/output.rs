use std::io::{self, Write};

fn main() {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for i in 0..163840 {
        writeln!(out, "{:063}", i).unwrap();
    }
}
