begin
  writeln('Good bye!');
end.
