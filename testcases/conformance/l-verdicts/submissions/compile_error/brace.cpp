int main() {
