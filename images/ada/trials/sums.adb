with Ada.Text_IO, Ada.Integer_Text_IO;
use Ada.Text_IO, Ada.Integer_Text_IO;

procedure Main is
   N, A, B : Integer;
begin
   Get (N);
   for I in 1 .. N loop
      Get (A);
      Get (B);
      Put (A + B, Width => 0);
      New_Line;
   end loop;
end Main;
