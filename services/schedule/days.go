package schedule

// monthDays holds, for each kind of month, which of its days a schedule
// matches: bit d is day d. A kind is the weekday of the 1st (0 = Sunday) and
// the length less 28. With it every L, W and # is worked out once, when the
// expression is parsed.
type monthDays [7][4]uint32

// dayRules are the day and weekday fields as bit sets.
type dayRules struct {
	plain       uint32 // bit d: day d
	last        uint32 // bit n: n days before the last
	lastWorkday uint32 // bit n: weekday nearest to n days before the last
	nearest     uint32 // bit d: weekday nearest to day d
	weekdays    uint8  // bit w: weekday w, 0 = Sunday
	lastOf      uint8  // bit w: last weekday w of the month
	nth         [6]uint8
	either      bool // a day matches if one of the two fields does
}

func newDayRules(e *expression) dayRules {
	var r dayRules
	spec := specOf(e.dialect, fieldDay)
	for _, i := range e.fields[fieldDay].items {
		switch i.form {
		case formLast:
			r.last |= 1 << i.nth
		case formLastWorkday:
			r.lastWorkday |= 1 << i.nth
		case formNearest:
			r.nearest |= 1 << i.low
		case formAny, formNone, formSpan, formLastOf, formNth:
			r.plain |= uint32(i.bits(spec))
		}
	}
	spec = specOf(e.dialect, fieldWeekday)
	for _, i := range e.fields[fieldWeekday].items {
		switch i.form {
		case formLastOf:
			r.lastOf |= 1 << spec.weekday(i.low)
		case formNth:
			r.nth[i.nth] |= 1 << spec.weekday(i.low)
		case formAny, formNone, formSpan, formLast, formLastWorkday, formNearest:
			bits := i.bits(spec)
			for v := spec.low; v <= spec.high; v++ {
				if bits>>v&1 == 1 {
					r.weekdays |= 1 << spec.weekday(v)
				}
			}
		}
	}
	// Five fields: both restricted means either. Six and seven fields always
	// have one field that matches everything, so that both must hold.
	r.either = e.dialect == Unix && !e.fields[fieldDay].starred() && !e.fields[fieldWeekday].starred()
	return r
}

// weekday turns a weekday field's value into 0 = Sunday ... 6 = Saturday.
func (s *fieldSpec) weekday(value int) int { return (value - s.low) % 7 }

// bits returns the values an item of plain form stands for. A range whose end
// lies before its start runs over the end of the field.
func (i item) bits(spec *fieldSpec) uint64 {
	low, high, step := i.low, i.high, max(i.step, 1)
	if i.form == formAny || i.form == formNone {
		low, high = spec.low, spec.high
	}
	if low > high {
		high += spec.size()
	}
	var bits uint64
	for v := low; v <= high; v += step {
		bits |= 1 << (spec.low + (v-spec.low)%spec.size())
	}
	return bits
}

// months works the rules out for every kind of month.
func (r *dayRules) months() *monthDays {
	var m monthDays
	for first := range 7 {
		for extra := range 4 {
			m[first][extra] = r.month(first, 28+extra)
		}
	}
	return &m
}

// month returns the matching days of a month of the given length whose 1st
// falls on weekday first.
func (r *dayRules) month(first, length int) uint32 {
	all := uint32(1)<<(length+1) - 2
	days := r.plain & all
	for n := range 31 {
		day := length - n
		if r.last>>n&1 == 1 && day >= 1 {
			days |= 1 << day
		}
		if r.lastWorkday>>n&1 == 1 && day >= 1 {
			days |= 1 << workday(first, length, day)
		}
	}
	for day := 1; day <= length; day++ {
		if r.nearest>>day&1 == 1 {
			days |= 1 << workday(first, length, day)
		}
	}
	var weekdays uint32
	for day := 1; day <= length; day++ {
		is := uint8(1) << ((first + day - 1) % 7)
		if r.weekdays&is != 0 || r.nth[(day-1)/7+1]&is != 0 || (r.lastOf&is != 0 && day+7 > length) {
			weekdays |= 1 << day
		}
	}
	if r.either {
		return days | weekdays
	}
	return days & weekdays
}

// workday returns the Monday-to-Friday day nearest to day without leaving the
// month.
func workday(first, length, day int) int {
	switch (first + day - 1) % 7 {
	case 6: // Saturday
		if day == 1 {
			return 3
		}
		return day - 1
	case 0: // Sunday
		if day == length {
			return day - 2
		}
		return day + 1
	}
	return day
}
