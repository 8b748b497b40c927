package frontend

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

func at(file string, line, column int) token.Position {
	return token.Position{Filename: file, Line: line, Column: column}
}

func TestDiagnosticString(t *testing.T) {
	d := Diagnostic{
		Pos: at("k.go", 3, 7), Msg: "recursive call of fact", Hint: "rewrite it as a loop",
		Chain: []Call{{"fact", at("k.go", 12, 2)}, {"outer", at("main.go", 40, 5)}},
	}
	want := "k.go:3:7: recursive call of fact (rewrite it as a loop)\n" +
		"\tk.go:12:2: in the call of fact\n\tmain.go:40:5: in the call of outer"
	require.Equal(t, want, d.String())
	require.Equal(t, "k.go:1:1: warning: slow", Diagnostic{Pos: at("k.go", 1, 1), Msg: "slow", Warning: true}.String())
}

func TestDiagnosticsSorted(t *testing.T) {
	ds := Diagnostics{
		{Pos: at("b.go", 1, 1), Msg: "fifth"},
		{Pos: at("a.go", 10, 1), Msg: "fourth"},
		{Pos: at("a.go", 2, 5), Msg: "second"},
		{Pos: at("a.go", 2, 3), Msg: "first"},
		{Pos: at("a.go", 2, 5), Msg: "third"},
		{Pos: at("a.go", 2, 5), Msg: "second"},
		{Pos: at("a.go", 2, 5), Msg: "third", Hint: "repeated by another way"},
	}
	var order []string
	for _, d := range ds.Sorted() {
		order = append(order, d.Msg)
	}
	require.Equal(t, []string{"first", "second", "third", "fourth", "fifth"}, order)
	require.Equal(t, "fifth", ds[0].Msg, "the receiver is left alone")
}

func TestHasErrors(t *testing.T) {
	require.False(t, Diagnostics{{Msg: "w", Warning: true}}.HasErrors())
	require.True(t, Diagnostics{{Msg: "w", Warning: true}, {Msg: "e"}}.HasErrors())
}
