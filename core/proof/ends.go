package proof

import "sharedbatches/core/explore"

// Ends lists how the schedules end, one after the other in the order of their
// letters, or nil when there are more than most: a small space can be drawn
// schedule by schedule.
func (s *search[K]) Ends(most int) []explore.Verdict {
	k := s.sp.Start()
	ends, ok := s.ends(&k, nil, most)
	if !ok {
		return nil
	}
	return ends
}

func (s *search[K]) ends(k *K, ends []explore.Verdict, most int) ([]explore.Verdict, bool) {
	moved := false
	for t := range s.sp.threads {
		var to K
		if !s.sp.Next(k, t, &to) {
			continue
		}
		moved = true
		var ok bool
		if ends, ok = s.ends(&to, ends, most); !ok {
			return nil, false
		}
	}
	if !moved {
		ends = append(ends, s.sp.End(k))
	}
	return ends, len(ends) <= most
}
