fn main() {
    let mut all = Vec::new();
    for i in 0..4096u32 {
        all.push(vec![i + 1; 1 << 18]);
    }
    println!("Hello, world! {}", all.len());
}
