main :: IO ()
main = do
  n <- readLn
  text <- getContents
  mapM_ (print . sum . map (read :: String -> Int) . words) (take n (lines text))
