module github.com/belfry-scheduler/belfry/worker-sdk

go 1.26
