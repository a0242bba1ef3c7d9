program mistaken;
var
  n: longint;
begin
  n := 'text'; { MISTAKE }
  writeln(n);
end.
