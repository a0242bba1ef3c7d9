import qualified Data.ByteString.Char8 as B
import Data.Maybe (fromJust)

main :: IO ()
main = do
  text <- B.readFile "/dev/stdin"
  mapM_ (print . sum . map (fst . fromJust . B.readInt) . B.words) (drop 1 (B.lines text))
