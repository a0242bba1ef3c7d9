disp("Hello, world!");
