package main

func kernel(a [][]int32, n int) {
	var total int32
	for i := range n {
		row := a[i]
		for j := 0; j < len(row); j++ {
			total += row[j]
		}
		k := n
	outer:
		for k > 0 {
			switch {
			case k%3 == 0:
				break outer
			case k%2 == 0:
				k /= 2
				continue
			default:
				k--
			}
		}
		for s := 0; s <= 8; s += 2 {
			a[i][s] = total0(k)
		}
	}
	a[0][0] = total
}

func total0(k int) int32 { return int32(k) }

