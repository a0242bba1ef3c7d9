with Ada.Wide_Wide_Text_IO;
use Ada.Wide_Wide_Text_IO;

procedure Main is
begin
   Put_Line ("ñandú: " & Get_Line);
end Main;
