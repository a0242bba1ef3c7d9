import Text.Printf

main :: IO ()
main = mapM_ (\i -> putStrLn (let s = show i in replicate (63 - length s) '0' ++ s)) [0 .. 163839 :: Int]
