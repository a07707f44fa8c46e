package totp

import (
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// QR answers the modules of a text's QR code, one string a row, '1' for dark. The quiet zone
// around it is left to whoever draws it.
func QR(text string) ([]string, error) {
	code, err := qr.Encode(text, qr.M, qr.Unicode)
	if err != nil {
		return nil, fmt.Errorf("making a QR code: %w", err)
	}
	size := code.Bounds()
	rows := make([]string, 0, size.Dy())
	for y := size.Min.Y; y < size.Max.Y; y++ {
		var row strings.Builder
		for x := size.Min.X; x < size.Max.X; x++ {
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				row.WriteByte('1')
			} else {
				row.WriteByte('0')
			}
		}
		rows = append(rows, row.String())
	}
	return rows, nil
}
