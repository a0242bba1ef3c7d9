program standard_input;
var
  f: text;
  n, i, a, b: longint;
begin
  assign(f, '/dev/stdin');
  reset(f);
  readln(f, n);
  for i := 1 to n do
  begin
    readln(f, a, b);
    writeln(a + b);
  end;
  close(f);
end.
