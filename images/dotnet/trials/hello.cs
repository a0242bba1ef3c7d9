Console.WriteLine("Hello, world!");
