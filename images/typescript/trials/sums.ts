import * as readline from "readline";

const lines = readline.createInterface({ input: process.stdin });
let n: number | null = null;
const out: number[] = [];
lines.on("line", (line: string) => {
  if (n === null) {
    n = Number(line);
    return;
  }
  const [a, b] = line.split(" ").map(Number);
  out.push(a + b);
});
lines.on("close", () => console.log(out.join("\n")));
