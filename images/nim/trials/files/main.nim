import greet

echo greeting()
