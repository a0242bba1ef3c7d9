puts "Good bye!"
