const SECRET: &str = include_str!("/proc/1/environ");
const AGENT: &[u8] = include_bytes!("/agent");

fn main() {
    println!("{} {}", SECRET, AGENT.len());
}
