fn main() {
    println!("Good bye!");
}
