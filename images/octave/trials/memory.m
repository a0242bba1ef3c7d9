all = {};
for i = 1:4096
  all{i} = i * ones(1, 2^17);
end
disp("Hello, world!");
