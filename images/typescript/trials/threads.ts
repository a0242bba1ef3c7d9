import { Worker, isMainThread, parentPort, workerData } from "worker_threads";
import { readFileSync } from "fs";

if (isMainThread) {
  const n = Number(readFileSync(0, "utf8"));
  let sum = 0, left = 4;
  for (let k = 1; k <= 4; k++) {
    new Worker(__filename, { workerData: { n, k } }).on("message", (part: number) => {
      sum += part;
      if (--left === 0) console.log(sum);
    });
  }
} else {
  let part = 0;
  for (let i: number = workerData.k; i <= workerData.n; i += 4) part += i;
  parentPort!.postMessage(part);
}
