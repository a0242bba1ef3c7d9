SELECT 'ñandú: ' || rtrim(CAST(readfile('/dev/stdin') AS TEXT), char(10));
