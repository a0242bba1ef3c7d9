import { readFileSync } from "fs";

const [n, ...lines] = readFileSync("/dev/stdin", "utf8").split("\n");
for (let i = 0; i < Number(n); i++) {
  const [a, b] = lines[i].split(" ").map(Number);
  console.log(a + b);
}
