const { greeting } = require("./greet.js");

console.log(greeting());
