{-# LANGUAGE CPP #-}
#include "/dev/zero"
main :: IO ()
main = return ()
