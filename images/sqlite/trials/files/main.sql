.cd /box/p
.read greet.sql
SELECT words FROM greeting;
