//go:build !failpoints || !unix

package failpoint

// Enabled says whether this build has fail points.
const Enabled = false

// Here is a place at which nothing can fail but the process.
func Here(Point) {}

// Fails is a place that has a way of failing of its own, and answers whether it must
// take it.
func Fails(Point) bool { return false }
