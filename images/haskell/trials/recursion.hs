depth :: Int -> Int
depth 0 = 0
depth n = 1 + depth (n - 1)
{-# NOINLINE depth #-}

main :: IO ()
main = readLn >>= print . depth
