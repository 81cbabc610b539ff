module go_counts

go 1.19
