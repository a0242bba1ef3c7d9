package body Greet is
   function Greeting return String is ("Hello, world!");
end Greet;
