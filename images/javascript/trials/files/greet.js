exports.greeting = () => "Hello, world!";
