const bytes = require("fs").readFileSync(0);
const sold = new Int32Array(100000);
let number = 0;
for (let i = bytes.indexOf(10) + 1; i < bytes.length; i++) {
    if (bytes[i] >= 48) {
        number = number * 10 + bytes[i] - 48;
    } else {
        sold[number]++;
        number = 0;
    }
}
sold[0] = 0; // what stood between two separators
let best = 1;
for (let stamp = 2; stamp < 100000; stamp++) if (sold[stamp] > sold[best]) best = stamp;
console.log(best);
