const letter = require("fs").readFileSync("/dev/stdin", "utf8");
process.stdout.write(letter.replace(/[a-z]/gi, (c) => (c < "a" ? c.toLowerCase() : c.toUpperCase())));
