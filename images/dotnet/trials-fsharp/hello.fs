printfn "Hello, world!"
