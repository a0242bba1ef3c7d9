main :: IO ()
main = do
  let n = 1 :: Int
  putStrLn n -- MISTAKE
