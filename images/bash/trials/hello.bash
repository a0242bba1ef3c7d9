echo "Hello, world!"
