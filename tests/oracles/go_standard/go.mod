module example.com/go_standard

go 1.22
