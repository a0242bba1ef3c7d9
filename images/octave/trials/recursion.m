1;

function d = depth(n)
  if n == 0
    d = 0;
  else
    d = 1 + depth(n - 1);
  end
end

printf("%d\n", depth(fscanf(stdin, "%d", 1)));
