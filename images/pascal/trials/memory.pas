var
  p: ^byte;
  i: longint;
begin
  for i := 1 to 4096 do
  begin
    getmem(p, 1 shl 20);
    fillchar(p^, 1 shl 20, 1);
  end;
  writeln('Hello, world!');
end.
