return { greeting = function() return "Hello, world!" end }
