main :: IO ()
main = spin 0
  where
    spin :: Int -> IO ()
    spin n = if n < 0 then print n else spin ((n + 1) `mod` 1000)
