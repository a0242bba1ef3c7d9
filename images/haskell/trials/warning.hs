main :: IO ()
main = do
  let unused = 1 :: Int
  putStrLn "Hello, world!"
