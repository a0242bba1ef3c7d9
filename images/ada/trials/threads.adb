with Ada.Text_IO, Ada.Integer_Text_IO;

procedure Main is
   N    : Integer;
   Sums : array (1 .. 4) of Long_Integer := (others => 0);
begin
   Ada.Integer_Text_IO.Get (N);
   declare
      task type Adder (K : Integer);
      task body Adder is
         I : Integer := K;
      begin
         while I <= N loop
            Sums (K) := Sums (K) + Long_Integer (I);
            I := I + 4;
         end loop;
      end Adder;
      A : Adder (1);
      B : Adder (2);
      C : Adder (3);
      D : Adder (4);
   begin
      null;
   end;
   declare
      Text : constant String := Long_Integer'Image (Sums (1) + Sums (2) + Sums (3) + Sums (4));
   begin
      Ada.Text_IO.Put_Line (Text (2 .. Text'Last));
   end;
end Main;
