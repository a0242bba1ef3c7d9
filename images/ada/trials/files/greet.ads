package Greet is
   function Greeting return String;
end Greet;
