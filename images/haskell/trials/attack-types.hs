{-# LANGUAGE NoMonomorphismRestriction #-}
-- A type of exponential size.
main :: IO ()
main = print (e (\x -> x) + 1)
  where
    p x = \z -> z x x
    a x = p (p x)
    b x = a (a x)
    c x = b (b x)
    d x = c (c x)
    e x = d (d x)
