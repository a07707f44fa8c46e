// Package scalar reads and writes the leaf values of the GraphQL schema: the
// custom scalars and the enumerations that the ledger knows. Generated code binds
// each by its pair of Marshal and Unmarshal functions.
package scalar
