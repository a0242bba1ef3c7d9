with Ada.Text_IO;
with Greet;

procedure Main is
begin
   Ada.Text_IO.Put_Line (Greet.Greeting);
end Main;
