n = fscanf(stdin, "%d", 1);
pairs = fscanf(stdin, "%d", [2, n]);
printf("%d\n", sum(pairs));
