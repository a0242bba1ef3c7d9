stop("on purpose")
