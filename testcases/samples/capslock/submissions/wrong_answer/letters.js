// Flips bit 5 of whatever lies between @ and ~, which mends letters and spoils their neighbours.
const letter = require("fs").readFileSync(0);
process.stdout.write(letter.map((c) => (c >= 64 && c < 127 ? c ^ 32 : c)));
