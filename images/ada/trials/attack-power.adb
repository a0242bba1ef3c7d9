-- A number that is computed exactly while it is compiled.
procedure Main is
   N : constant := 7 ** 123_456_789;
begin
   null;
end Main;
