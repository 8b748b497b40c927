package main

type config struct {
	gravity float32
	wind    [2]float32
}

func (c config) pull() float32 { return c.gravity + c.wind[1] }

func kernel(x []float32, c *config, d config) {
	for i := range x {
		d := d
		d.wind[0] = 1
		x[i] = (*c).gravity + c.pull() + d.pull()
	}
}
/* lowered:
kernel kernel(x []f32, c.gravity f32, c.wind [2]f32, d struct{f32@0,[2]f32@4})
  for L0 in 0..len(x) parallel {
    var d#0 struct{f32@0,[2]f32@4} = d
    d#0.1[0]! = f32(1)
    var c#1 struct{f32@0,[2]f32@4}
    c#1.0 = c.gravity
    c#1.1 = c.wind
    t0 = add(c#1.0, c#1.1[1]!)
    t1 = add(d#0.0, d#0.1[1]!)
    x[i0]! = add(add(c.gravity, t0), t1)
  }
*/
