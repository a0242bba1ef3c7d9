CREATE TABLE pairs (a INTEGER, b INTEGER);
.separator " "
.import --skip 1 "|cat /dev/stdin" pairs
SELECT a + b FROM pairs ORDER BY rowid;
