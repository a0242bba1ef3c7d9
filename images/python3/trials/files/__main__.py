from greet import greeting

print(greeting())
