package kernels

type shape interface{ Area() float32 }

type square struct{ side float32 }

func (s square) Area() float32 { return s.side * s.side }

func BadGo(a []int32) {
	for i := range a {
		go clearOne(a, i) // ERROR "go statements"
	}
}

func clearOne(a []int32, i int) { a[i] = 0 }

func BadDefer(a []int32) {
	defer clearOne(a, 0) // ERROR "defer"
	a[1] = 1
}

func BadChannels(a []int32) {
	c := make(chan int32, 1) // ERROR "make|channels"
	c <- a[0]                // ERROR "channels"
	a[1] = <-c               // ERROR "channels"
	select {                 // ERROR "select"
	case a[0] = <-c:
	default:
	}
}

func BadTypeSwitch(a []float32) {
	var s shape = square{2} // ERROR "interfaces"
	switch v := s.(type) {  // ERROR "type switches"
	case square:
		a[0] = v.side
	}
	a[1] = s.(square).side // ERROR "type assertions"
	a[2] = s.Area()        // ERROR "method of an interface"
}

func BadGoto(a []int32) {
	n := int32(0)
again:
	n++
	if n < 3 {
		goto again // ERROR "goto"
	}
	a[0] = n
}

func BadRangeOverFunction(a []int32) {
	for i := range count { // ERROR "range over a function|function values|used as a value"
		a[i] = 1
	}
}

func count(yield func(int) bool) { yield(1) }

func BadRangeOverString(a []int32) {
	const text = "abc"
	for i, r := range text { // ERROR "strings"
		a[i] = r
	}
}

func GoodStatements(a []int32, n int) {
	total := int32(0)
	var table [4]int32
serial:
	for k := 0; k < n; k++ {
		switch {
		case k == 2:
			continue
		case k > 5:
			break serial
		default:
			table[k%4] += int32(k)
		}
	}
	for _, v := range table {
		total += v
	}
	if total > 3 {
		return
	}
	x, y := total, total+1
	x, y = y, x
	a[0], a[1] = x, y
	p := &table[1]
	*p = 7
	a[2] = max(min(*p, 3), 1)
	println("total", total)
}
