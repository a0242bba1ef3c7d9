module greet
contains
  function greeting() result(words)
    character(13) :: words
    words = 'Hello, world!'
  end function
end module
