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
/* lowered:
kernel kernel(a [][]i32, n i64)
  var total#0 i32
  for L0 in 0..n parallel {
    t0 = index(i0, len(a), "a")
    for L1 in 0..len(a, 1) serialize {
      t1 = atomic_add(total#0, a[t0, i1]!)
    }
    var k#1 i64 = n
    loop L2 {
      if logic_not(gt(k#1, 0)) {
        break L2
      }
      if eq(rem(k#1, 3), 0) {
        break L2
      } else {
        if eq(rem(k#1, 2), 0) {
          k#1 = div(k#1, 2)
          continue L2
        } else {
          k#1 = sub(k#1, 1)
        }
      }
    }
    for L3 in 0..5 serialize {
      t2 = add(0, mul(i3, 2))
      t3 = k#1
      t4 = i32(t3)
      a[i0, t2] = t4
    }
  }
  a[0, 0] = total#0
*/
