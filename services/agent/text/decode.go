package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Encoding is how a program writes text.
type Encoding struct {
	name   string
	single encoding.Encoding // nil: UTF-8, or Auto
}

// Auto is UTF-8 where a line is UTF-8, else GB18030 (and with it GBK) where it is that
// from end to end, else UTF-8 with marks for what is not.
var Auto = Encoding{name: "auto"}

var encodings = []Encoding{
	Auto,
	{name: "utf-8"},
	{"gb18030", simplifiedchinese.GB18030},
	{"gbk", simplifiedchinese.GBK},
	{"big5", traditionalchinese.Big5},
	{"shift_jis", japanese.ShiftJIS},
	{"euc-jp", japanese.EUCJP},
	{"euc-kr", korean.EUCKR},
	{"windows-1250", charmap.Windows1250},
	{"windows-1251", charmap.Windows1251},
	{"windows-1252", charmap.Windows1252},
	{"iso-8859-1", charmap.ISO8859_1},
	{"iso-8859-15", charmap.ISO8859_15},
	{"koi8-r", charmap.KOI8R},
	{"cp437", charmap.CodePage437},
	{"cp850", charmap.CodePage850},
	{"cp866", charmap.CodePage866},
}

// ByName finds an encoding; "" is Auto.
func ByName(name string) (Encoding, bool) {
	if name == "" {
		return Auto, true
	}
	i := slices.IndexFunc(encodings, func(e Encoding) bool { return strings.EqualFold(e.name, name) })
	if i < 0 {
		return Encoding{}, false
	}
	return encodings[i], true
}

// Names lists what ByName finds.
func Names() []string {
	names := make([]string, len(encodings))
	for i, e := range encodings {
		names[i] = e.name
	}
	return names
}

// Decode makes valid UTF-8 of a text. Control characters other than tab and escape
// become their pictures (␀), so that nothing is invisible; line feeds stay. With cut,
// the text ends somewhere, perhaps within a character, which is left out then.
func (e Encoding) Decode(raw []byte, cut bool) string {
	return strings.Map(picture, e.decode(raw, cut))
}

func (e Encoding) decode(raw []byte, cut bool) string {
	if e.single != nil {
		return decodeBy(e.single, raw)
	}
	whole := raw
	if cut {
		whole = trimPartial(raw)
	}
	if utf8.Valid(whole) {
		return string(whole)
	}
	if e.name == Auto.name {
		for drop := 0; drop <= 3 && drop <= len(raw); drop++ {
			if decoded := decodeBy(simplifiedchinese.GB18030, raw[:len(raw)-drop]); plausible(decoded) {
				return decoded
			}
			if !cut {
				break
			}
		}
	}
	return strings.ToValidUTF8(string(whole), "\uFFFD")
}

func decodeBy(e encoding.Encoding, raw []byte) string {
	decoded, err := e.NewDecoder().Bytes(raw)
	if err != nil { // decoders mark what they cannot read; none of them fails on it
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	return string(decoded)
}

// plausible reports whether a decoded text has no sign of having been something else.
func plausible(decoded string) bool {
	return strings.IndexFunc(decoded, func(r rune) bool {
		return r == utf8.RuneError || r >= 0x80 && r < 0xa0 || unicode.Is(unicode.Co, r)
	}) < 0
}

// trimPartial leaves out a character that has begun and not ended.
func trimPartial(raw []byte) []byte {
	for back := 1; back <= 3 && back <= len(raw); back++ {
		if b := raw[len(raw)-back]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(raw[len(raw)-back:]) {
				return raw[:len(raw)-back]
			}
			break
		}
	}
	return raw
}

// picture shows what a terminal would act upon or hide.
func picture(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == 0x1b:
		return r
	case r < ' ':
		return 0x2400 + r
	case r == 0x7f:
		return 0x2421
	}
	return r
}

// Head answers at most limit bytes of a valid text, cut between characters.
func Head(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
