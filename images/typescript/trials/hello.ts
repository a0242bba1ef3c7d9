const words: string = "Hello, world!";

console.log(words);
