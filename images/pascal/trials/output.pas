uses sysutils;
var
  i: longint;
  digits: string;
begin
  for i := 0 to 163839 do
  begin
    digits := IntToStr(i);
    writeln(StringOfChar('0', 63 - length(digits)), digits);
  end;
end.
