main :: IO ()
main = putStrLn "Good bye!"
