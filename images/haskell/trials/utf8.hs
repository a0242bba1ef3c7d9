main :: IO ()
main = getLine >>= putStrLn . ("ñandú: " ++)
