quit 3
