void main() {
    while (true) {}
}
