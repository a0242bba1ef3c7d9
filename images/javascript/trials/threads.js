const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");

if (isMainThread) {
  const n = Number(require("fs").readFileSync(0, "utf8"));
  let sum = 0, left = 4;
  for (let k = 1; k <= 4; k++) {
    new Worker(__filename, { workerData: { n, k } }).on("message", (part) => {
      sum += part;
      if (--left === 0) console.log(sum);
    });
  }
} else {
  let part = 0;
  for (let i = workerData.k; i <= workerData.n; i += 4) part += i;
  parentPort.postMessage(part);
}
