void main() {
    throw new Exception("on purpose");
}
