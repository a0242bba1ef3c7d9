with Ada.Text_IO, Ada.Integer_Text_IO;
use Ada.Text_IO, Ada.Integer_Text_IO;

procedure Main is
   Input   : File_Type;
   N, A, B : Integer;
begin
   Open (Input, In_File, "/dev/stdin");
   Get (Input, N);
   for I in 1 .. N loop
      Get (Input, A);
      Get (Input, B);
      Put (A + B, Width => 0);
      New_Line;
   end loop;
end Main;
