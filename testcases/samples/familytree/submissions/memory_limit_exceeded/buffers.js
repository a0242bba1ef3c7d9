// Keeps 256 buffers of 4 MiB, every byte of them written.
const kept = [];
while (kept.length < 256) kept.push(Buffer.alloc(4 << 20, "x"));
console.log(kept.length);
