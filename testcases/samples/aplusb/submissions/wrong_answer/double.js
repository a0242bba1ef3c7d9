// Numbers are doubles: exact up to 2^53 only.
const [a, b] = require("fs").readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
console.log(String(a + b));
