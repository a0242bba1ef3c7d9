use std::thread;

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let n: u64 = line.trim().parse().unwrap();
    let threads: Vec<_> = (1..=4).map(|k| thread::spawn(move || (k..=n).step_by(4).sum::<u64>())).collect();
    println!("{}", threads.into_iter().map(|t| t.join().unwrap()).sum::<u64>());
}
