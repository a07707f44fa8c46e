// Package allow decides what an agent may do: which programs, shell texts and
// addresses, as which user, in which directories, with which secrets. The decision
// is the machine's, never the server's: the rules stand in a file that whoever
// looks after the machine writes, the default allows nothing, and a refusal says
// which lines would allow what was asked. The package starts nothing and connects
// to nothing.
package allow
