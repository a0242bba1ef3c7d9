import qualified Data.ByteString as B

main :: IO ()
main = do
  let chunks = [B.replicate 1048576 (fromIntegral n) | n <- [1 .. 4096 :: Int]]
  print (sum (map B.length chunks))
  print (sum (map (fromIntegral . B.head) chunks) :: Int)
