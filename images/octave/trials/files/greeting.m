function words = greeting()
  words = "Hello, world!";
end
