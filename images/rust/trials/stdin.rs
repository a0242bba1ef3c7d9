use std::fs;

fn main() {
    let text = fs::read_to_string("/dev/stdin").unwrap();
    for line in text.lines().skip(1) {
        println!("{}", line.split(' ').map(|w| w.parse::<i64>().unwrap()).sum::<i64>());
    }
}
