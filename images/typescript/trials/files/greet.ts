export const greeting = (): string => "Hello, world!";
