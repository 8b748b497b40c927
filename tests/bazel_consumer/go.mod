module example.org/consumer

go 1.26

require github.com/quadrants-go/quadrants v0.0.0

replace github.com/quadrants-go/quadrants => ../..
