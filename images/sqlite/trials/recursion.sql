WITH RECURSIVE
    input(n) AS (SELECT CAST(CAST(readfile('/dev/stdin') AS TEXT) AS INTEGER)),
    depth(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM depth, input WHERE i < n)
SELECT max(i) FROM depth;
