package schedule

// hashed reads H, H(a-b), H/n and H(a-b)/n and resolves it to a value or a
// stepped range.
func (s *scanner) hashed() (item, error) {
	if s.id == fieldYear {
		return item{}, s.fail(s.pos, "H is not allowed for the year")
	}
	s.pos++
	s.metH = true
	low, high := s.spec.low, s.spec.hashHigh
	given := s.accept('(')
	if given {
		var err error
		if low, high, err = s.hashRange(); err != nil {
			return item{}, err
		}
	}
	i, err := s.step(item{})
	if err != nil {
		return item{}, err
	}
	if i.step > 0 && !given {
		high = s.spec.high
		if s.id == fieldWeekday {
			high = low + 6
		}
	}
	return s.resolve(low, high, i.step), nil
}

// hashRange reads a-b) behind H(.
func (s *scanner) hashRange() (low, high int, err error) {
	start := s.pos
	if low, _, err = s.atom(); err != nil {
		return 0, 0, err
	}
	if !s.accept('-') {
		return 0, 0, s.fail(s.pos, "H( needs a range such as H(2-4)")
	}
	if high, _, err = s.atom(); err != nil {
		return 0, 0, err
	}
	if err = s.checkOrder(start, low, high); err != nil {
		return 0, 0, err
	}
	if !s.accept(')') {
		return 0, 0, s.fail(s.pos, "the bracket of H( is not closed")
	}
	return low, high, nil
}

// resolve draws the hash for a range, which may wrap. With a step the hash
// shifts the start of the grid, by less than the step and within the range.
func (s *scanner) resolve(low, high, step int) item {
	count := high - low + 1
	if low > high {
		count += s.spec.size()
	}
	spread := count
	if step > 0 {
		spread = min(step, count)
	}
	start := low + int(hash(s.seed, s.spec.name)%uint64(spread))
	if start > s.spec.high {
		start -= s.spec.size()
	}
	if step == 0 {
		high = start
	}
	return item{
		form: formSpan, low: start, high: high, step: step,
		lowName: s.spec.hasName(start), highName: s.spec.hasName(high),
	}
}
