for i = 0, 163839 do
  print(("%063d"):format(i))
end
