package imports

// windowsZones are IANA names of time zones as Windows names them, in lower case.
var windowsZones = map[string]string{
	"utc": "UTC", "gmt standard time": "Europe/London", "greenwich standard time": "Atlantic/Reykjavik", "w. europe standard time": "Europe/Berlin",
	"romance standard time": "Europe/Paris", "central europe standard time": "Europe/Budapest", "central european standard time": "Europe/Warsaw",
	"gtb standard time": "Europe/Bucharest", "fle standard time": "Europe/Kyiv", "e. europe standard time": "Europe/Chisinau", "turkey standard time": "Europe/Istanbul",
	"russian standard time": "Europe/Moscow", "belarus standard time": "Europe/Minsk", "israel standard time": "Asia/Jerusalem", "egypt standard time": "Africa/Cairo",
	"south africa standard time": "Africa/Johannesburg", "e. africa standard time": "Africa/Nairobi", "w. central africa standard time": "Africa/Lagos",
	"arab standard time": "Asia/Riyadh", "arabian standard time": "Asia/Dubai", "iran standard time": "Asia/Tehran", "pakistan standard time": "Asia/Karachi",
	"india standard time": "Asia/Kolkata", "sri lanka standard time": "Asia/Colombo", "bangladesh standard time": "Asia/Dhaka", "se asia standard time": "Asia/Bangkok",
	"china standard time": "Asia/Shanghai", "singapore standard time": "Asia/Singapore", "taipei standard time": "Asia/Taipei", "w. australia standard time": "Australia/Perth",
	"tokyo standard time": "Asia/Tokyo", "korea standard time": "Asia/Seoul", "cen. australia standard time": "Australia/Adelaide", "aus central standard time": "Australia/Darwin",
	"e. australia standard time": "Australia/Brisbane", "aus eastern standard time": "Australia/Sydney", "tasmania standard time": "Australia/Hobart",
	"new zealand standard time": "Pacific/Auckland", "hawaiian standard time": "Pacific/Honolulu", "alaskan standard time": "America/Anchorage",
	"pacific standard time": "America/Los_Angeles", "us mountain standard time": "America/Phoenix", "mountain standard time": "America/Denver",
	"central standard time": "America/Chicago", "canada central standard time": "America/Regina", "eastern standard time": "America/New_York",
	"us eastern standard time": "America/Indianapolis", "atlantic standard time": "America/Halifax", "newfoundland standard time": "America/St_Johns",
	"sa pacific standard time": "America/Bogota", "sa western standard time": "America/La_Paz", "pacific sa standard time": "America/Santiago",
	"e. south america standard time": "America/Sao_Paulo", "argentina standard time": "America/Buenos_Aires", "central america standard time": "America/Guatemala",
	"central standard time (mexico)": "America/Mexico_City",
}
