package coalesce_test

import (
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// TestRerenderPersist drops dataflows with the whole persist side at random moments and
// renders them again: what was under way is left behind, with its uploads, the rest of
// the shard is told as before, and the new dataflow ends well.
func TestRerenderPersist(t *testing.T) {
	r := schedule.NewRandom(20260731)
	left, inline, flying, labels := 0, 0, 0, 0
	for range 300 {
		c := anyConfig(r, false)
		c.Probe, c.Teardown, c.Sweeper = coalesce.StrongCount, true, false
		for i := range c.Tasks {
			c.Tasks[i].Skips = nil
		}
		c = persistConfig(r, c, false)
		p := start(t, c)
		run := func(most int) {
			for range most {
				var free []string
				for _, name := range p.m.Names() {
					if p.m.Blocked(&p.s, p.thread(name)).Kind == coalesce.Free {
						free = append(free, name)
					}
				}
				if len(free) == 0 {
					return
				}
				p.step(free[r.Pick(len(free))])
			}
		}
		holds := func(when string) {
			t.Helper()
			for _, i := range p.m.Invariants() {
				if why := p.m.Broken(&p.s, i); why != "" && (i != coalesce.NoLeak || p.s.Torn == 0) {
					t.Fatalf("%s: %s: %s\n%+v", when, i.Name(), why, c)
				}
			}
		}
		run(r.Pick(60))
		for p.m.Blocked(&p.s, p.thread("Z")).Kind == coalesce.Free {
			p.step("Z")
		}
		for {
			stopped := true
			for i := range p.m.Tasks {
				th := coalesce.Thread(i)
				if p.m.Blocked(&p.s, th).Kind == coalesce.Free {
					p.step(p.m.Name(th))
					stopped = false
				} else if p.m.Blocked(&p.s, th).Kind != coalesce.HasFinished {
					// It waits for a lock that another task holds, or for a builder task.
					for _, other := range p.m.Names() {
						if other[0] != 'Z' && p.m.Blocked(&p.s, p.thread(other)).Kind == coalesce.Free {
							p.step(other)
							break
						}
					}
					stopped = false
				}
			}
			if stopped {
				break
			}
		}
		holds("torn down")
		for _, o := range p.m.Pieces(&p.s) {
			if o.Status == coalesce.Uploading {
				flying++
			}
			if o.Inline {
				inline++
			}
		}
		c.Teardown = false
		objects, err := p.rerender(c)
		if err != nil {
			t.Fatalf("%v\n%+v", err, c)
		}
		left += len(objects)
		for i := range p.m.Sinks {
			for _, l := range p.s.Sinks[i].Labels {
				if l != coalesce.NoLabel {
					labels++
				}
			}
		}
		holds("rendered again")
		run(100_000)
		holds("at the end")
		if v := p.m.Classify(&p.s); v != coalesce.Safe {
			why := ""
			for _, name := range p.m.Names() {
				th := p.thread(name)
				if b := p.m.Blocked(&p.s, th); !b.Over() && b.Kind != coalesce.NotSpawned {
					why += name + ": " + p.m.Reason(th, b) + "; "
				}
			}
			t.Fatalf("ends %v: %s\n%+v", v, why, c)
		}
	}
	t.Log(left, "objects left,", inline, "inline parts,", flying, "uploads in flight at the end of the old dataflow,", labels, "labels kept")
	if left == 0 || inline == 0 || flying == 0 || labels == 0 {
		t.Error("some of it has never happened")
	}
	c := whole(10000, []int{5000})
	p := start(t, c)
	c.Persist, c.Target, c.Outstanding = coalesce.ShortPersist, 0, 0
	if _, err := p.rerender(c); err == nil || err.Error() != "rerender: persist: it has to stay as it was: the shard’s parts are described by it" {
		t.Error(err)
	}
}
