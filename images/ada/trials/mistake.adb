with Ada.Text_IO;

procedure Main is
   N : Integer := "text"; -- MISTAKE
begin
   Ada.Text_IO.Put_Line (N'Image);
end Main;
