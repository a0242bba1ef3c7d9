println Greet.greeting()
