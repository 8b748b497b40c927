// Package devices opens every device that tests compare: the Go arch, the CPU with one and with several threads, the
// simulated device with some seeds, and a GPU where there is one.
package devices

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quadrants-go/quadrants/qd"
)

// Device is one that a test runs on.
type Device struct {
	Name   string // "go", "cpu1", "cpu4", "sim7", "cuda"
	Config qd.Config
	Sim    string // what QD_SIM says; "" but for a simulated device
}

// seeds is how many simulated devices there are; QD_SEEDS changes it.
func seeds() int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("QD_SEEDS"), "2"))
	if err != nil || n < 0 {
		panic(fmt.Sprintf("QD_SEEDS=%q is no number", os.Getenv("QD_SEEDS")))
	}
	return n
}

// only, where set, is the name of the one device to run on: QD_TEST_DEVICE.
func only() string { return os.Getenv("QD_TEST_DEVICE") }

// All are the devices that tests run on.
func All() []Device {
	all := []Device{
		{Name: "go", Config: qd.Config{Arch: qd.Go}},
		{Name: "cpu1", Config: qd.Config{Arch: qd.CPU, Threads: 1}},
		{Name: "cpu4", Config: qd.Config{Arch: qd.CPU, Threads: 4}},
		{Name: "cuda", Config: qd.Config{Arch: qd.CUDA}},
	}
	for seed := range seeds() {
		all = append(all, Simulated(fmt.Sprintf("seed=%d", seed)))
	}
	if only() == "" {
		return all
	}
	var chosen []Device
	for _, d := range all {
		if d.Name == only() {
			chosen = append(chosen, d)
		}
	}
	return chosen
}

// Simulated is a simulated device; options are as QD_SIM has them.
func Simulated(options string) Device {
	return Device{Name: "sim " + options, Config: qd.Config{Arch: qd.Auto}, Sim: options}
}

// Open opens the device.
func (d Device) Open() (*qd.Runtime, error) {
	if d.Sim != "" {
		for name, value := range map[string]string{"QD_ARCH": "sim", "QD_SIM": d.Sim} {
			if before, set := os.LookupEnv(name); set {
				defer os.Setenv(name, before)
			} else {
				defer os.Unsetenv(name)
			}
			os.Setenv(name, value)
		}
	}
	return qd.Open(d.Config)
}

// MustOpen opens the device for a test, which is skipped where there is none of its kind.
func (d Device) MustOpen(t testing.TB) *qd.Runtime {
	t.Helper()
	rt, err := d.Open()
	if errors.Is(err, qd.ErrNoDevice) {
		t.Skipf("no such device here: %v", err)
	}
	require.NoError(t, err)
	return rt
}

// Each runs a test on each device. It opens and closes the runtime, and fails where something of the core is still alive then.
func Each(t *testing.T, config qd.Config, test func(t *testing.T, rt *qd.Runtime)) {
	t.Helper()
	for _, d := range All() {
		t.Run(d.Name, func(t *testing.T) {
			arch, threads := d.Config.Arch, d.Config.Threads
			d.Config = config
			d.Config.Arch, d.Config.Threads = arch, threads
			rt := d.MustOpen(t)
			test(t, rt)
			require.NoError(t, rt.Close())
			require.Equal(t, qd.Leaks{}, qd.ProcessLeaks())
		})
	}
}
