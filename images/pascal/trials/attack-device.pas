program attack;
{$I /dev/zero}
begin
  writeln('Hello, world!');
end.
