var
  line: ansistring;
begin
  readln(line);
  writeln('ñandú: ', line);
end.
