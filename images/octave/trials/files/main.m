addpath("/box/p");
disp(greeting());
