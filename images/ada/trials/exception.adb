procedure Main is
begin
   raise Program_Error with "on purpose";
end Main;
