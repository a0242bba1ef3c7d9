fn depth(n: u32) -> u32 {
    if std::hint::black_box(n) == 0 { 0 } else { 1 + depth(n - 1) }
}

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", depth(line.trim().parse().unwrap()));
}
