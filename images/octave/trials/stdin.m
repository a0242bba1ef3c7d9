in = fopen("/dev/stdin");
n = fscanf(in, "%d", 1);
pairs = fscanf(in, "%d", [2, n]);
printf("%d\n", sum(pairs));
