import { readFileSync } from "fs";

const depth = (n: number): number => (n === 0 ? 0 : 1 + depth(n - 1));

console.log(depth(Number(readFileSync(0, "utf8"))));
