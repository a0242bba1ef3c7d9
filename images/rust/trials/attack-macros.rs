macro_rules! grow {
    ($($x:tt)*) => { grow!($($x)* $($x)* x) };
}

fn main() {
    grow!(x);
}
