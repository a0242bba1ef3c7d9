mod greet;

fn main() {
    println!("{}", greet::greeting());
}
