for i = 0:163839
  printf("%063d\n", i);
end
