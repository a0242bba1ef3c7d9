// Crawls one millimetre at a time and turns round before the end.
let position = 0;
for (;;) position = (position + 1) % 1000;
