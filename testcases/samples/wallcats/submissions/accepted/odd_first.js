const n = Number(require("fs").readFileSync(0, "utf8"));
const odd = [], even = [];
for (let cat = n; cat >= 1; cat--) (cat % 2 === 1 ? odd : even).push(cat);
console.log(n === 2 || n === 3 ? "impossible" : [...odd, ...even].join(" "));
