package qd

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"
)

// The layout of a timeline, in pixels. Text is 12 pixels high and about 7 wide a character.
const (
	svgWidth      = 960
	svgLeft       = 84 // of the lanes: their names are left of it
	svgRight      = 20
	svgTop        = 14
	svgLegendRow  = 22
	svgLane       = 44
	svgBar        = 32
	svgAxis       = 30
	svgCharacter  = 7
	svgTextInside = 4 // between a bar's edge and its text
)

// Colours that are told apart by most people who see few colours, and carry black text; then they repeat. Outside of scopes
// there is svgNoScope.
var svgColours = [...]string{"#56b4e9", "#e69f00", "#3fbf92", "#cc79a7", "#f0e442", "#e3703a", "#9fa8f5", "#b5d16b"}

const svgNoScope = "#b8bcc2"

// scope is what has one colour: a StreamParallel scope, or what a kernel has outside of scopes.
type scope struct {
	kernel string
	group  int
}

// scopes are those of the trace: by kernel in the order of their first spans, then by group.
func (t *Trace) scopes() []scope {
	var kernels []string
	var all []scope
	for _, s := range t.Spans {
		if !slices.Contains(kernels, s.Kernel) {
			kernels = append(kernels, s.Kernel)
		}
		if c := (scope{s.Kernel, s.Group}); !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b scope) int {
		if a.kernel != b.kernel {
			return slices.Index(kernels, a.kernel) - slices.Index(kernels, b.kernel)
		}
		return a.group - b.group
	})
	return all
}

func (c scope) String() string {
	if c.group == 0 {
		return c.kernel
	}
	return fmt.Sprintf("%s, scope %d", c.kernel, c.group)
}

// timeline is a trace being drawn.
type timeline struct {
	bytes.Buffer
	trace      *Trace
	lanes      []lane
	scopes     []scope
	colours    map[scope]string
	start, end time.Duration
	top        int // of the first lane
}

// WriteSVG draws the trace: a lane for each worker, a bar for each span, a colour for each scope. Text and axis follow the
// reader's light or dark mode. The same spans give the same bytes.
func (t *Trace) WriteSVG(w io.Writer) error {
	d := &timeline{trace: t, lanes: t.lanes(), scopes: t.scopes(), colours: map[scope]string{}}
	d.choose()
	d.measure()
	d.header()
	d.legend()
	d.axis()
	d.drawLanes()
	d.WriteString("</svg>\n")
	_, err := w.Write(d.Bytes())
	return err
}

func (d *timeline) choose() {
	next := 0
	for _, c := range d.scopes {
		if c.group == 0 {
			d.colours[c] = svgNoScope
			continue
		}
		d.colours[c] = svgColours[next%len(svgColours)]
		next++
	}
}

func (d *timeline) measure() {
	for i, s := range d.trace.Spans {
		if i == 0 || s.Start < d.start {
			d.start = s.Start
		}
		d.end = max(d.end, s.End)
	}
	d.end = max(d.end, d.start+1)
	x, rows := svgLeft, 1
	for _, c := range d.scopes {
		if next := x + d.legendWidth(c); next > svgWidth-svgRight && x > svgLeft {
			x, rows = svgLeft, rows+1
		}
		x += d.legendWidth(c)
	}
	d.top = svgTop + rows*svgLegendRow
}

func (d *timeline) legendWidth(c scope) int { return 18 + svgCharacter*len([]rune(c.String())) + 18 }

func (d *timeline) bottom() int { return d.top + svgLane*len(d.lanes) }

// x is where a moment is.
func (d *timeline) x(at time.Duration) float64 {
	return svgLeft + float64(at-d.start)/float64(d.end-d.start)*(svgWidth-svgLeft-svgRight)
}

func (d *timeline) header() {
	height := d.bottom() + svgAxis
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="title desc">`+"\n",
		svgWidth, height, svgWidth, height)
	fmt.Fprintf(d, "<title id=\"title\">Timeline of %s</title>\n", html.EscapeString(d.kernels()))
	fmt.Fprintf(d, "<desc id=\"desc\">%s</desc>\n", html.EscapeString(d.description()))
	d.WriteString(`<style>
text { font: 12px ui-monospace, monospace; fill: #24292f; }
.bar { stroke: #24292f; stroke-opacity: 0.5; stroke-width: 0.5; }
.in { fill: #111111; pointer-events: none; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.line { stroke: #24292f; stroke-opacity: 0.2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .in { fill: #111111; }
  .line { stroke: #e6edf3; }
}
</style>
`)
}

func (d *timeline) kernels() string {
	var names []string
	for _, c := range d.scopes {
		if !slices.Contains(names, c.kernel) {
			names = append(names, c.kernel)
		}
	}
	if len(names) == 0 {
		return "no kernel"
	}
	return strings.Join(names, ", ")
}

// description says in words what the picture shows.
func (d *timeline) description() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d lanes over %v.", len(d.lanes), (d.end - d.start).Round(time.Microsecond))
	for _, l := range d.lanes {
		var done []string
		for _, span := range d.trace.Spans {
			if laneOf(span) == l {
				done = append(done, fmt.Sprintf("%s from %v to %v", span.Task,
					(span.Start-d.start).Round(time.Microsecond), (span.End-d.start).Round(time.Microsecond)))
			}
		}
		const most = 20 // a description is read aloud
		if len(done) > most {
			done = append(done[:most], fmt.Sprintf("%d more", len(done)-most))
		}
		fmt.Fprintf(&s, " %s: %s.", l, strings.Join(done, ", "))
	}
	if d.trace.Dropped > 0 {
		fmt.Fprintf(&s, " %d spans are missing.", d.trace.Dropped)
	}
	return s.String()
}

func (d *timeline) legend() {
	x, y := svgLeft, svgTop
	for _, c := range d.scopes {
		if x+d.legendWidth(c) > svgWidth-svgRight && x > svgLeft {
			x, y = svgLeft, y+svgLegendRow
		}
		fmt.Fprintf(d, `<rect class="bar" x="%d" y="%d" width="12" height="12" rx="2" fill="%s"/>`, x, y-2, d.colours[c])
		fmt.Fprintf(d, `<text x="%d" y="%d">%s</text>`+"\n", x+18, y+8, html.EscapeString(c.String()))
		x += d.legendWidth(c)
	}
}

// step is the distance of the axis's marks: 1, 2 or 5 times a power of ten nanoseconds, so that there are at most ten.
func (d *timeline) step() time.Duration {
	for unit := time.Duration(1); ; unit *= 10 {
		for _, times := range [...]time.Duration{1, 2, 5} {
			if (d.end-d.start)/(unit*times) < 10 {
				return unit * times
			}
		}
	}
}

func (d *timeline) axis() {
	step := d.step()
	for at := time.Duration(0); at <= d.end-d.start; at += step {
		x := d.x(d.start + at)
		fmt.Fprintf(d, `<line class="line" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`, x, d.top, x, d.bottom()+4)
		fmt.Fprintf(d, `<text class="middle" x="%.1f" y="%d">%v</text>`+"\n", x, d.bottom()+18, at)
	}
}

func (d *timeline) drawLanes() {
	for i, l := range d.lanes {
		y := d.top + i*svgLane
		fmt.Fprintf(d, `<text class="end" x="%d" y="%d">%s</text>`+"\n", svgLeft-10, y+svgLane/2+4, l)
		for _, s := range d.trace.Spans {
			if laneOf(s) == l {
				d.bar(s, y+(svgLane-svgBar)/2)
			}
		}
	}
}

func (d *timeline) bar(s Span, y int) {
	x := d.x(s.Start)
	width := max(d.x(s.End)-x, 0.5) // even the shortest is seen
	fmt.Fprintf(d, `<rect class="bar" x="%.2f" y="%d" width="%.2f" height="%d" rx="2" fill="%s"><title>%s</title></rect>`,
		x, y, width, svgBar, d.colours[scope{s.Kernel, s.Group}], html.EscapeString(fmt.Sprintf("%s, launch %d: %v to %v (%v)",
			s.Task, s.Launch, s.Start-d.start, s.End-d.start, s.End-s.Start)))
	room := int((width - 2*svgTextInside) / svgCharacter)
	if name := []rune(strings.TrimPrefix(s.Task, s.Kernel+"_")); len(name) <= room {
		fmt.Fprintf(d, `<text class="in" x="%.2f" y="%d">%s</text>`, x+svgTextInside, y+svgBar/2+4, html.EscapeString(string(name)))
	}
	d.WriteByte('\n')
}
