// Belfry is a distributed job scheduler: see README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/belfry-scheduler/belfry/cmd"
)

// version is stamped by the linker: -ldflags "-X main.version=v1.2.3".
var version string

func main() { os.Exit(run()) }

// run hands a context down that ends with the first SIGINT or SIGTERM. A
// second signal ends the process at once.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return cmd.Main(ctx, os.Args[1:], cmd.IO{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Version: version})
}
