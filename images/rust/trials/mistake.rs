fn main() {
    let n: i32 = "text"; // MISTAKE
    println!("{}", n);
}
