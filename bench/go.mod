module github.com/belfry-scheduler/belfry/bench

go 1.26.0

require (
	github.com/belfry-scheduler/belfry v0.0.0
	github.com/belfry-scheduler/belfry/worker-sdk v0.0.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/go-sql-driver/mysql v1.10.1 // indirect
)

replace (
	github.com/belfry-scheduler/belfry => ../
	github.com/belfry-scheduler/belfry/worker-sdk => ../worker-sdk
)
