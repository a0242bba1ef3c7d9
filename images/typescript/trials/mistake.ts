const words = "text";

const n: number = words; // MISTAKE
console.log(n);
