unit greet;
interface
function greeting: string;
implementation
function greeting: string;
begin
  greeting := 'Hello, world!';
end;
end.
