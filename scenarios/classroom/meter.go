package main

import (
	"fmt"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/meter"
)

type meterCmd struct {
	Workers   int    `help:"Workers of the process." default:"8" placeholder:"N"`
	Views     int    `help:"Views that all workers write; workers times views is at most 8." default:"1" placeholder:"N"`
	Intervals int    `help:"Intervals of each view." default:"100" placeholder:"N"`
	Seeds     int    `help:"Seeds of the random scheduler." default:"100" placeholder:"N"`
	Probe     string `help:"upgrade or strong_count." enum:"upgrade,strong_count" default:"strong_count"`
}

func (x *meterCmd) Run(c *console) error {
	w := meter.Workload{Workers: x.Workers, Sinks: x.Views, Intervals: x.Intervals, Probe: coalesce.StrongCount}
	if x.Probe == "upgrade" {
		w.Probe = coalesce.Upgrade
	}
	if x.Seeds < 1 {
		return fmt.Errorf("seeds: %d: allowed is 1 or more", x.Seeds)
	}
	text, err := meter.Table(w, x.Seeds)
	if err != nil {
		return err
	}
	fmt.Fprint(c.out, text, "\n", meter.Published)
	return nil
}
