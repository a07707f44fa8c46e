package console

// notBuilt is answered by a binary that was built without the console.
const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Belfry: the console is not built</title>
<style>
  body { max-width: 42rem; margin: 12vh auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; }
  pre { padding: .8rem 1rem; border: 1px solid; border-radius: 6px; overflow: auto; }
</style></head>
<body>
<h1>The console is not built</h1>
<p>The server runs, and the API answers at <code>/graphql</code>. This binary was made without the web console. In the source tree, with Node 20.19 or newer:</p>
<pre>cd console
npm ci
npm run build
cd ..
go build ./cmd/belfry</pre>
<p>Released binaries and images have the console in them.</p>
</body>
</html>
`
