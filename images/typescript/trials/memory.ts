const all: number[][] = [];
for (let i = 0; i < 4096; i++) all.push(new Array<number>(1 << 17).fill(i + 0.5));
console.log("Hello, world!");
