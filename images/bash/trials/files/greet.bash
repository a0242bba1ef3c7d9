greeting() {
  echo "Hello, world!"
}
