echo "Good bye!"
