/** What a worker needs in order to start. */
export interface Start {
  url: string;
  app: string;
  /** The key, or what stands for it when it cannot be seen again. */
  key: string;
  group: string;
}

/** The shell command that starts the example worker. */
export function exampleCommand(s: Start): string {
  return `cd examples/orders && BELFRY_SERVER=${s.url} BELFRY_APP=${s.app} BELFRY_KEY=${s.key} BELFRY_GROUP=${s.group} go run .`;
}

/** The lines of Go that embed a worker in a service. */
export function embedCode(s: Omit<Start, 'key'>): string {
  return `w, err := worker.New(worker.Config{
	Server: "${s.url}",
	App:    "${s.app}",
	Key:    os.Getenv("BELFRY_KEY"),
	Group:  "${s.group}",
})
if err != nil {
	return err
}
worker.Handle(w, "SendInvoice", func(ctx context.Context, task *worker.Task, args Invoice) error {
	task.Logger().Info("sending", "invoice", args.Number)
	return send(ctx, args)
})
return w.Run(ctx)`;
}
