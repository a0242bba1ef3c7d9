local greet = require("greet")

print(greet.greeting())
