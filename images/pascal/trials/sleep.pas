uses sysutils;
begin
  sleep(3600000);
end.
