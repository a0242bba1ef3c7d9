greeting <- function() "Hello, world!"
