Write-Output "Hello, world!"
