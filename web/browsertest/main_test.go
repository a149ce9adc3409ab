//go:build !js

package browsertest

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "browsertest: ending the browser:", err)
	}
	os.Exit(code)
}
