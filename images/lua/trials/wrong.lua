print("Good bye!")
