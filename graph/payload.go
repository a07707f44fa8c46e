package graph

import (
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
)

// The payloads of mutations: what was changed, or why it was refused. Each
// function takes the changed row and answers one that takes what inInput or
// inArgument made of the error.

// appPayload makes the answer of updateApp and deleteApp.
func appPayload(app models.App) func([]*gqlmodel.UserError, error) (*gqlmodel.AppPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.AppPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.AppPayload{UserErrors: refused}, err
		}
		return &gqlmodel.AppPayload{App: appOf(&app), UserErrors: refused}, nil
	}
}

// groupPayload makes the answer of the node group mutations.
func groupPayload(group models.NodeGroup) func([]*gqlmodel.UserError, error) (*gqlmodel.NodeGroupPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.NodeGroupPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.NodeGroupPayload{UserErrors: refused}, err
		}
		return &gqlmodel.NodeGroupPayload{NodeGroup: groupOf(&group), UserErrors: refused}, nil
	}
}

// nodePayload makes the answer of the node mutations.
func nodePayload(node models.Node) func([]*gqlmodel.UserError, error) (*gqlmodel.NodePayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.NodePayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.NodePayload{UserErrors: refused}, err
		}
		return &gqlmodel.NodePayload{Node: nodeOf(&node), UserErrors: refused}, nil
	}
}

// jobPayload makes the answer of the job mutations.
func jobPayload(saved models.Job) func([]*gqlmodel.UserError, error) (*gqlmodel.JobPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.JobPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.JobPayload{UserErrors: refused}, err
		}
		return &gqlmodel.JobPayload{Job: jobOf(&saved), UserErrors: refused}, nil
	}
}

// taskPayload makes the answer of the task mutations.
func (r *Resolver) taskPayload(changed models.Task) func([]*gqlmodel.UserError, error) (*gqlmodel.TaskPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.TaskPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.TaskPayload{UserErrors: refused}, err
		}
		return &gqlmodel.TaskPayload{Task: r.taskOf(&changed), UserErrors: refused}, nil
	}
}
