// An error that nobody catches.
const letter = require("fs").readFileSync(0, "utf8");
if (letter.length > 0) throw new Error("Caps Lock is on");
console.log(letter);
