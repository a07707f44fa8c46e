package cmd

import (
	"fmt"
	"io"
	"os"

	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/mask"
)

// maxMaskFile bounds the file of rules, in bytes.
const maxMaskFile = 1 << 20

// masker makes what takes secrets out of reports; nil when that is switched off.
func masker(settings config.Settings) (*mask.Masker, error) {
	if !settings.Mask {
		return nil, nil //nolint:nilnil // a nil masker is one that leaves everything
	}
	if settings.MaskRules == "" {
		return mask.New(mask.Rules{}), nil
	}
	text, err := maskFile(settings.MaskRules)
	if err != nil {
		return nil, err
	}
	rules, err := mask.Parse(text)
	if err != nil {
		return nil, &usageError{err: fault.At("mask-rules", fault.Invalid, "BELFRY_MASK_RULES: the file %s has rules that cannot be used. %s", settings.MaskRules, err.Error())}
	}
	return mask.New(rules), nil
}

func maskFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", &usageError{err: fault.At("mask-rules", fault.Invalid, "BELFRY_MASK_RULES is %q: %s; name a file that this user may read.", path, err.Error())}
	}
	defer func() { _ = file.Close() }() // read only
	text, err := io.ReadAll(io.LimitReader(file, maxMaskFile+1))
	if err != nil {
		return "", fmt.Errorf("reading the rules of what is secret: %w", err)
	}
	return string(text), nil
}
