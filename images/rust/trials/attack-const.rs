#![allow(long_running_const_eval)]
const fn spin() -> u64 {
    let mut i = 0u64;
    while i != u64::MAX {
        i += 1;
    }
    i
}
const N: u64 = spin();

fn main() {
    println!("{}", N);
}
