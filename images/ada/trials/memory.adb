with Ada.Text_IO;

procedure Main is
   type Words is array (1 .. 262144) of Integer;
   type Chunk is access Words;
   All_Of_Them : array (1 .. 4096) of Chunk;
begin
   for I in All_Of_Them'Range loop
      All_Of_Them (I) := new Words'(others => I);
   end loop;
   Ada.Text_IO.Put_Line ("Hello, world!" & All_Of_Them (7) (7)'Image);
end Main;
