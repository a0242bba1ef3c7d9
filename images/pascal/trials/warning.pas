program warned;
var
  n: longint;
begin
  if n = n then writeln('Hello, world!');
end.
