// No recursion: the dragons in the order of their generations.
const text = require("fs").readFileSync(0, "latin1").split(/\s/);
const n = Number(text[0]);
const eldest = new Int32Array(n + 1), sibling = new Int32Array(n + 1), generation = new Int32Array(n + 1);
for (let dragon = 2; dragon <= n; dragon++) {
    const parent = Number(text[dragon - 1]);
    sibling[dragon] = eldest[parent];
    eldest[parent] = dragon;
}
const queue = new Int32Array(n);
queue[0] = generation[1] = 1;
for (let next = 0, end = 1; next < end; next++) {
    for (let child = eldest[queue[next]]; child > 0; child = sibling[child]) {
        generation[child] = generation[queue[next]] + 1;
        queue[end++] = child;
    }
}
console.log(generation[queue[n - 1]]);
