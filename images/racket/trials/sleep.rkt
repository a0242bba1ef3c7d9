#lang racket
(sleep 3600)
