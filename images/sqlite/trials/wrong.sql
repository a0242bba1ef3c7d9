SELECT 'Good bye!';
