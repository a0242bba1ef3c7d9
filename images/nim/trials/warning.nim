proc greet() =
  let unused = 1
  echo "Hello, world!"

{.warning: "this is one".}
greet()
