with GNAT.OS_Lib;

procedure Main is
begin
   GNAT.OS_Lib.OS_Exit (3);
end Main;
