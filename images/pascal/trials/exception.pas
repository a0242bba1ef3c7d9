{$mode objfpc}
uses sysutils;
begin
  raise Exception.Create('on purpose');
end.
