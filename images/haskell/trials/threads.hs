import Control.Concurrent
import Control.Monad

main :: IO ()
main = do
  n <- readLn :: IO Int
  results <- newEmptyMVar
  forM_ [1 .. 4] $ \k -> forkIO (putMVar results $! sum [k, k + 4 .. n])
  sums <- replicateM 4 (takeMVar results)
  print (sum sums)
