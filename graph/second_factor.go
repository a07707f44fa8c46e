package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

var signInMethods = map[models.Method]gqlmodel.SignInMethod{
	models.MethodPassword: gqlmodel.SignInMethodPassword,
	models.MethodLink:     gqlmodel.SignInMethodLink,
	models.MethodProvider: gqlmodel.SignInMethodProvider,
}

// secondFactor shows what the viewer has.
func (r *Resolver) secondFactor(ctx context.Context) (*gqlmodel.SecondFactor, error) {
	f, err := r.services.Accounts.SecondFactor(ctx, request.Caller(ctx))
	if err != nil {
		return nil, err
	}
	return secondFactorOf(&f), nil
}

func secondFactorOf(f *account.SecondFactor) *gqlmodel.SecondFactor {
	return &gqlmodel.SecondFactor{Since: f.Since, RecoveryCodesLeft: f.RecoveryCodesLeft, Required: f.Required, Available: f.Available}
}

// recoveryCodes makes the answer of the mutations that hand out recovery codes; argument is
// what a refusal without a field is about.
func (r *Resolver) recoveryCodes(ctx context.Context, argument string, codes []string, err error) (*gqlmodel.RecoveryCodesPayload, error) {
	refused, err := inArgument(argument, err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.RecoveryCodesPayload{UserErrors: refused}, err
	}
	after, err := r.secondFactor(ctx)
	return &gqlmodel.RecoveryCodesPayload{RecoveryCodes: codes, SecondFactor: after, UserErrors: refused}, err
}
