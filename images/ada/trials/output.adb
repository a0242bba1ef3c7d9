with Ada.Text_IO;

procedure Main is
   Zeros : constant String (1 .. 63) := (others => '0');
begin
   for I in 0 .. 163839 loop
      declare
         Digit : constant String := I'Image;
      begin
         Ada.Text_IO.Put_Line (Zeros (1 .. 64 - Digit'Length) & Digit (2 .. Digit'Last));
      end;
   end loop;
end Main;
