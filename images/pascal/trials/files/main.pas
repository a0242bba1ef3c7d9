program main;
uses greet;
begin
  writeln(greeting);
end.
