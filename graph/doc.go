// Package graph is the GraphQL layer: it translates operations into calls of the
// services and their answers back. It decides nothing about jobs or tasks, and
// knows neither SQL nor the store.
//
// The schema lies in schema/, the generated executor in generated/ and the
// generated values in gqlmodel/; the *.resolvers.go files hold one function a
// field. Everything around the resolvers has a folder of its own: scalar (leaf
// values), page (cursors), limit (what an operation may cost and who may run it),
// transport (POST, SSE, WebSocket), live (subscriptions).
package graph

//go:generate go tool gqlgen generate
