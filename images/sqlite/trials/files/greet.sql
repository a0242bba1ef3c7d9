CREATE VIEW greeting AS SELECT 'Hello, world!' AS words;
