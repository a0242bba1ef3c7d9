// A tree of types, each of two others.
type Grow<N extends unknown[], T> = N["length"] extends 40 ? T : Grow<[...N, 0], [T, T]> | Grow<[...N, 1], { a: T; b: T }>;

const x: Grow<[], 0> = 1;
console.log(x);
