package scopes

import "github.com/quadrants-go/quadrants/qd"

// many has 64 scopes, each with a bound and a row of its own and one cell for all.
func many(x [][]int32, bounds []int32, sum []int64) {
	qd.StreamParallel(func() {
		for i := range int(bounds[0]) {
			x[0][i] = x[0][i]*3 + 0
			qd.AtomicAdd(&sum[0], int64(x[0][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[1]) {
			x[1][i] = x[1][i]*3 + 1
			qd.AtomicAdd(&sum[0], int64(x[1][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[2]) {
			x[2][i] = x[2][i]*3 + 2
			qd.AtomicAdd(&sum[0], int64(x[2][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[3]) {
			x[3][i] = x[3][i]*3 + 3
			qd.AtomicAdd(&sum[0], int64(x[3][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[4]) {
			x[4][i] = x[4][i]*3 + 4
			qd.AtomicAdd(&sum[0], int64(x[4][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[5]) {
			x[5][i] = x[5][i]*3 + 5
			qd.AtomicAdd(&sum[0], int64(x[5][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[6]) {
			x[6][i] = x[6][i]*3 + 6
			qd.AtomicAdd(&sum[0], int64(x[6][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[7]) {
			x[7][i] = x[7][i]*3 + 7
			qd.AtomicAdd(&sum[0], int64(x[7][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[8]) {
			x[8][i] = x[8][i]*3 + 8
			qd.AtomicAdd(&sum[0], int64(x[8][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[9]) {
			x[9][i] = x[9][i]*3 + 9
			qd.AtomicAdd(&sum[0], int64(x[9][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[10]) {
			x[10][i] = x[10][i]*3 + 10
			qd.AtomicAdd(&sum[0], int64(x[10][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[11]) {
			x[11][i] = x[11][i]*3 + 11
			qd.AtomicAdd(&sum[0], int64(x[11][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[12]) {
			x[12][i] = x[12][i]*3 + 12
			qd.AtomicAdd(&sum[0], int64(x[12][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[13]) {
			x[13][i] = x[13][i]*3 + 13
			qd.AtomicAdd(&sum[0], int64(x[13][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[14]) {
			x[14][i] = x[14][i]*3 + 14
			qd.AtomicAdd(&sum[0], int64(x[14][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[15]) {
			x[15][i] = x[15][i]*3 + 15
			qd.AtomicAdd(&sum[0], int64(x[15][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[16]) {
			x[16][i] = x[16][i]*3 + 16
			qd.AtomicAdd(&sum[0], int64(x[16][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[17]) {
			x[17][i] = x[17][i]*3 + 17
			qd.AtomicAdd(&sum[0], int64(x[17][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[18]) {
			x[18][i] = x[18][i]*3 + 18
			qd.AtomicAdd(&sum[0], int64(x[18][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[19]) {
			x[19][i] = x[19][i]*3 + 19
			qd.AtomicAdd(&sum[0], int64(x[19][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[20]) {
			x[20][i] = x[20][i]*3 + 20
			qd.AtomicAdd(&sum[0], int64(x[20][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[21]) {
			x[21][i] = x[21][i]*3 + 21
			qd.AtomicAdd(&sum[0], int64(x[21][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[22]) {
			x[22][i] = x[22][i]*3 + 22
			qd.AtomicAdd(&sum[0], int64(x[22][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[23]) {
			x[23][i] = x[23][i]*3 + 23
			qd.AtomicAdd(&sum[0], int64(x[23][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[24]) {
			x[24][i] = x[24][i]*3 + 24
			qd.AtomicAdd(&sum[0], int64(x[24][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[25]) {
			x[25][i] = x[25][i]*3 + 25
			qd.AtomicAdd(&sum[0], int64(x[25][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[26]) {
			x[26][i] = x[26][i]*3 + 26
			qd.AtomicAdd(&sum[0], int64(x[26][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[27]) {
			x[27][i] = x[27][i]*3 + 27
			qd.AtomicAdd(&sum[0], int64(x[27][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[28]) {
			x[28][i] = x[28][i]*3 + 28
			qd.AtomicAdd(&sum[0], int64(x[28][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[29]) {
			x[29][i] = x[29][i]*3 + 29
			qd.AtomicAdd(&sum[0], int64(x[29][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[30]) {
			x[30][i] = x[30][i]*3 + 30
			qd.AtomicAdd(&sum[0], int64(x[30][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[31]) {
			x[31][i] = x[31][i]*3 + 31
			qd.AtomicAdd(&sum[0], int64(x[31][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[32]) {
			x[32][i] = x[32][i]*3 + 32
			qd.AtomicAdd(&sum[0], int64(x[32][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[33]) {
			x[33][i] = x[33][i]*3 + 33
			qd.AtomicAdd(&sum[0], int64(x[33][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[34]) {
			x[34][i] = x[34][i]*3 + 34
			qd.AtomicAdd(&sum[0], int64(x[34][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[35]) {
			x[35][i] = x[35][i]*3 + 35
			qd.AtomicAdd(&sum[0], int64(x[35][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[36]) {
			x[36][i] = x[36][i]*3 + 36
			qd.AtomicAdd(&sum[0], int64(x[36][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[37]) {
			x[37][i] = x[37][i]*3 + 37
			qd.AtomicAdd(&sum[0], int64(x[37][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[38]) {
			x[38][i] = x[38][i]*3 + 38
			qd.AtomicAdd(&sum[0], int64(x[38][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[39]) {
			x[39][i] = x[39][i]*3 + 39
			qd.AtomicAdd(&sum[0], int64(x[39][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[40]) {
			x[40][i] = x[40][i]*3 + 40
			qd.AtomicAdd(&sum[0], int64(x[40][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[41]) {
			x[41][i] = x[41][i]*3 + 41
			qd.AtomicAdd(&sum[0], int64(x[41][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[42]) {
			x[42][i] = x[42][i]*3 + 42
			qd.AtomicAdd(&sum[0], int64(x[42][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[43]) {
			x[43][i] = x[43][i]*3 + 43
			qd.AtomicAdd(&sum[0], int64(x[43][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[44]) {
			x[44][i] = x[44][i]*3 + 44
			qd.AtomicAdd(&sum[0], int64(x[44][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[45]) {
			x[45][i] = x[45][i]*3 + 45
			qd.AtomicAdd(&sum[0], int64(x[45][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[46]) {
			x[46][i] = x[46][i]*3 + 46
			qd.AtomicAdd(&sum[0], int64(x[46][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[47]) {
			x[47][i] = x[47][i]*3 + 47
			qd.AtomicAdd(&sum[0], int64(x[47][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[48]) {
			x[48][i] = x[48][i]*3 + 48
			qd.AtomicAdd(&sum[0], int64(x[48][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[49]) {
			x[49][i] = x[49][i]*3 + 49
			qd.AtomicAdd(&sum[0], int64(x[49][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[50]) {
			x[50][i] = x[50][i]*3 + 50
			qd.AtomicAdd(&sum[0], int64(x[50][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[51]) {
			x[51][i] = x[51][i]*3 + 51
			qd.AtomicAdd(&sum[0], int64(x[51][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[52]) {
			x[52][i] = x[52][i]*3 + 52
			qd.AtomicAdd(&sum[0], int64(x[52][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[53]) {
			x[53][i] = x[53][i]*3 + 53
			qd.AtomicAdd(&sum[0], int64(x[53][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[54]) {
			x[54][i] = x[54][i]*3 + 54
			qd.AtomicAdd(&sum[0], int64(x[54][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[55]) {
			x[55][i] = x[55][i]*3 + 55
			qd.AtomicAdd(&sum[0], int64(x[55][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[56]) {
			x[56][i] = x[56][i]*3 + 56
			qd.AtomicAdd(&sum[0], int64(x[56][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[57]) {
			x[57][i] = x[57][i]*3 + 57
			qd.AtomicAdd(&sum[0], int64(x[57][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[58]) {
			x[58][i] = x[58][i]*3 + 58
			qd.AtomicAdd(&sum[0], int64(x[58][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[59]) {
			x[59][i] = x[59][i]*3 + 59
			qd.AtomicAdd(&sum[0], int64(x[59][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[60]) {
			x[60][i] = x[60][i]*3 + 60
			qd.AtomicAdd(&sum[0], int64(x[60][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[61]) {
			x[61][i] = x[61][i]*3 + 61
			qd.AtomicAdd(&sum[0], int64(x[61][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[62]) {
			x[62][i] = x[62][i]*3 + 62
			qd.AtomicAdd(&sum[0], int64(x[62][i]))
		}
	})
	qd.StreamParallel(func() {
		for i := range int(bounds[63]) {
			x[63][i] = x[63][i]*3 + 63
			qd.AtomicAdd(&sum[0], int64(x[63][i]))
		}
	})
}
