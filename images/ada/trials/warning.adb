with Ada.Text_IO;

procedure Main is
   Idle : Integer;
begin
   Ada.Text_IO.Put_Line ("Hello, world!");
end Main;
