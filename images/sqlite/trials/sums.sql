CREATE TABLE pairs (a INTEGER, b INTEGER);
.mode list
.separator " "
.import --skip 1 /dev/stdin pairs
SELECT a + b FROM pairs ORDER BY rowid;
