package kernels

import "github.com/quadrants-go/quadrants/qd"

type level int32

func (l level) String() string { return "level" }

type loud struct {
	id    int32
	Level level
}

type quiet struct {
	id    int32
	level level
}

type hiddenHalf struct{ half qd.Float16 }

func BadPrintMethods(a []int32, all []loud, halves []hiddenHalf) {
	qd.Println("at", level(a[0]))           // ERROR "prints itself by its method String"
	qd.Print(all[0])                        // ERROR "prints itself by its method String"
	qd.Assert(a[0] > 0, "%v", level(a[0]))  // ERROR "prints itself by its method String"
	qd.Println(halves[0])                   // ERROR "prints itself by its method String"
	qd.Println([2]level{1, 2}, a[0], "end") // ERROR "prints itself by its method String"
}

func GoodPrints(a []int32, halves []qd.Float16) {
	println(level(a[0]))
	qd.Println(int32(level(a[0])), quiet{a[0], 2}, halves[0])
	qd.Assert(a[0] > 0, "%5.2f, 100%% of %d%% at %x", halves[0].Float32(), a[0], a[1])
	qd.Assert(a[0] > 0, "100% sure")
}

func BadTooManyValues(a []int32) {
	qd.Assert(a[0] > 0, "%d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7) // ERROR "at most 6 values"
}

type nothing struct{}

func (nothing) half(x int32) int32 { return x / 2 }

type marked struct {
	_  [0]int
	id int32
}

func BadEmptyElements(a []nothing, b [][0]int32, c []marked) { // ERROR "structs without fields|arrays of length 0"
	c[0].id = int32(len(a) + len(b))
}

func BadEmptyTypes(a []int32) {
	var none [0]int32 // ERROR "arrays of length 0"
	for range none {
		a[0] = 1
	}
	a[1] = nothing{}.half(2) // ERROR "structs without fields"
	var n nothing            // ERROR "structs without fields"
	_ = n
}

func (nothing) GoodReceiver(a []int32, m marked) {
	a[0] = m.id
}
