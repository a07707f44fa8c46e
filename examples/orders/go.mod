module github.com/belfry-scheduler/belfry/examples/orders

go 1.26

require github.com/belfry-scheduler/belfry/worker-sdk v0.0.0

replace github.com/belfry-scheduler/belfry/worker-sdk => ../../worker-sdk
