let n = 1;
if (n === ) { // MISTAKE
  console.log(n);
}
