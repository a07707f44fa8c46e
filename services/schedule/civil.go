package schedule

// Dates of the proleptic Gregorian calendar as day numbers, day 0 being
// 1 January 1970. Schedules walk dates here, never time.Date in a zone: a date
// is then always the one meant, whatever the clocks of the zone do that day.

const daySeconds = 24 * 60 * 60

// civil returns the date of a day number from year 1 on.
func civil(days int64) (year, month, day int) {
	// Years are counted from 1 March, so that the leap day comes last.
	z := days + 719468
	era := z / 146097
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy - (153*mp+2)/5 + 1)
	month = int(mp + 3)
	year = int(yoe + era*400)
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// dayNumber is the inverse of civil.
func dayNumber(year, month, day int) int64 {
	y, m := int64(year), int64(month)
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + int64(day) - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

func leap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

var monthLengths = [13]int{1: 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func monthLength(year, month int) int {
	if month == 2 && leap(year) {
		return 29
	}
	return monthLengths[month]
}

// weekdayOf returns the weekday of a day number from year 1 on, 0 = Sunday.
func weekdayOf(days int64) int { return int((days + 4 + 7*200_000) % 7) }
