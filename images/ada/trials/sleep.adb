procedure Main is
begin
   delay 3600.0;
end Main;
