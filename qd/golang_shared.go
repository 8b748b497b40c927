package qd

import (
	"reflect"
	"slices"
	"unsafe"
)

// sharedSlices is one piece of memory that several Go slices among the arguments overlap in, copied as one so that what the
// function writes through one slice is seen through the others, as it is in place.
type sharedSlices struct {
	first    int       // the argument whose slice starts first
	size     uintptr   // bytes from there to the last end
	copied   []uint64  // holds the copy, from skew on
	skew     uintptr   // so that elements keep their alignment
	argument []int     // all of them
	offset   []uintptr // of each
}

func (s *sharedSlices) base() unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(s.copied)), s.skew)
}

// shareSlices finds the groups of overlapping slices of plain elements.
func (k *Kernel) shareSlices(words []word) []sharedSlices {
	var found []int
	for i := range words {
		a := &k.args[i]
		if a.rank == 1 && !a.takesArray(&words[i]) && (*sliceHeader)(a.place(&words[i])).len > 0 {
			found = append(found, i)
		}
	}
	if len(found) < 2 {
		return nil
	}
	extent := func(i int) (start, end uintptr) {
		s := (*sliceHeader)(k.args[i].place(&words[i]))
		start = uintptr(s.data)
		return start, start + uintptr(s.len)*k.args[i].typ.Elem().Size()
	}
	slices.SortFunc(found, func(i, j int) int {
		a, _ := extent(i)
		b, _ := extent(j)
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return i - j
	})
	var groups []sharedSlices
	for at := 0; at < len(found); {
		start, end := extent(found[at])
		group := sharedSlices{first: found[at], skew: start % 8}
		for ; at < len(found); at++ {
			s, e := extent(found[at])
			if s >= end {
				break
			}
			end = max(end, e)
			group.argument = append(group.argument, found[at])
			group.offset = append(group.offset, s-start)
		}
		if len(group.argument) > 1 {
			group.size = end - start
			groups = append(groups, group)
		}
	}
	return groups
}

// detachShared replaces the values of slices that overlap by slices of one copy.
func (k *Kernel) detachShared(words []word, values []reflect.Value) []sharedSlices {
	groups := k.shareSlices(words)
	for g := range groups {
		s := &groups[g]
		s.copied = make([]uint64, (s.skew+s.size+7)/8)
		copyValue(s.base(), (*sliceHeader)(k.args[s.first].place(&words[s.first])).data, s.size)
		for n, i := range s.argument {
			length := (*sliceHeader)(k.args[i].place(&words[i])).len
			v := reflect.New(k.args[i].typ)
			*(*sliceHeader)(v.UnsafePointer()) = sliceHeader{unsafe.Add(s.base(), s.offset[n]), length, length}
			values[i] = v.Elem()
		}
	}
	return groups
}

// restoreAll copies back what the function may have written to copies of the arguments.
func (k *Kernel) restoreAll(words []word, values []reflect.Value, shared []sharedSlices) {
	grouped := map[int]bool{}
	for g := range shared {
		s := &shared[g]
		copyValue((*sliceHeader)(k.args[s.first].place(&words[s.first])).data, s.base(), s.size)
		for _, i := range s.argument {
			grouped[i] = true
		}
	}
	for i := range words {
		if !grouped[i] {
			k.args[i].restore(&words[i], values[i])
		}
	}
}
