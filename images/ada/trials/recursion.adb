with Ada.Text_IO, Ada.Integer_Text_IO;

procedure Main is
   function Depth (N : Integer) return Integer is
      Here : Integer := N with Volatile;
   begin
      return (if Here = 0 then 0 else 1 + Depth (Here - 1));
   end Depth;

   N : Integer;
begin
   Ada.Integer_Text_IO.Get (N);
   Ada.Integer_Text_IO.Put (Depth (N), Width => 0);
   Ada.Text_IO.New_Line;
end Main;
