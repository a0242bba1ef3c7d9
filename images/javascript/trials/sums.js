const lines = require("readline").createInterface({ input: process.stdin });
let n = null;
const out = [];
lines.on("line", (line) => {
  if (n === null) {
    n = Number(line);
    return;
  }
  const [a, b] = line.split(" ").map(Number);
  out.push(a + b);
});
lines.on("close", () => console.log(out.join("\n")));
