def greeting
  "Hello, world!"
end
