package qd

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestPackageOf(t *testing.T) {
	for symbol, want := range map[string]string{
		"main.saxpy":                            "main",
		"main.(*Sim).Step":                      "main",
		"main.init":                             "main",
		"example.com/vec.Add[...]":              "example.com/vec",
		"gopkg.in/yaml%2ev3.Unmarshal.func1":    "gopkg.in/yaml.v3",
		"example.com/x%2ey/kernels.(*A[...]).B": "example.com/x.y/kernels",
	} {
		require.Equal(t, want, packageOf(symbol), symbol)
	}
}

func TestEmbedRemembersThePackage(t *testing.T) {
	source := fstest.MapFS{}
	defer sources.Delete("github.com/quadrants-go/quadrants/qd")
	Embed(source)
	kept, ok := sources.Load("github.com/quadrants-go/quadrants/qd")
	require.True(t, ok)
	require.Equal(t, source, kept)
}
