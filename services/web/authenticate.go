package web

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

const (
	// SessionCookie is the name of the cookie that holds a session's secret.
	SessionCookie = "belfry_session"
	// DeviceCookie is the name of the cookie by which a browser is known in which
	// somebody has signed in. It lets nobody in.
	DeviceCookie = "belfry_device"
	// ConsoleHeader must be sent, with the value 1, by every POST that a session's
	// cookie authenticates: a page of another site cannot add it.
	ConsoleHeader = "X-Belfry-Console"
)

// Auth finds out who sends a request, and opens and ends sessions.
type Auth struct {
	accounts *account.Service
	origins  origins
	https    bool // cookies travel by TLS only
}

// NewAuth makes an Auth. PublicURL is the address that people use; empty when it
// is whatever they sent their request to.
func NewAuth(accounts *account.Service, publicURL string) (*Auth, error) {
	o := origins{}
	if publicURL != "" {
		u, err := url.Parse(publicURL)
		if err != nil || u.Host == "" {
			return nil, fault.New(fault.Invalid, "The public address %q is not a URL: write it like https://belfry.example.com.", publicURL)
		}
		o.public = strings.ToLower(u.Scheme + "://" + u.Host)
	}
	return &Auth{accounts: accounts, origins: o, https: strings.HasPrefix(o.public, "https://")}, nil
}

// wrap puts who asks into the request's context. It refuses sockets that pages of
// other sites open; whatever else is wrong with the credentials, next answers.
func (a *Auth) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrade := r.Header.Get("Upgrade") != ""
		if upgrade && a.origins.foreign(r) {
			writeError(w, r, fault.New(fault.Forbidden, "The page at %s may not open sockets here: open the console at its own address.", r.Header.Get("Origin")))
			return
		}
		ctx := a.identify(r, upgrade)
		if !upgrade {
			a.renew(w, r.WithContext(ctx))
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// renew gives the browser another secret for a session whose owner's rights have changed. When
// that fails the old one holds on, and the next request tries again.
func (a *Auth) renew(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie(SessionCookie)
	if p := request.Caller(r.Context()); err != nil || !p.RenewSession {
		return
	}
	if in, renewed, err := a.accounts.RenewSession(r.Context(), cookie.Value); err == nil && renewed {
		a.setCookie(w, r, in)
	}
}

// setCookie hands a session to the browser.
func (a *Auth) setCookie(w http.ResponseWriter, r *http.Request, in account.SignedIn) {
	a.put(w, r, SessionCookie, in.Secret, max(1, int(in.Lasts.Seconds())))
}

// put sets a cookie that scripts cannot read. Over TLS, of this server or of what stands
// before it, it travels by TLS only.
func (a *Auth) put(w http.ResponseWriter, r *http.Request, name, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: a.https || r.TLS != nil, SameSite: http.SameSiteLaxMode,
	})
}

func (a *Auth) identify(r *http.Request, upgrade bool) context.Context {
	ctx := r.Context()
	if header := r.Header.Get("Authorization"); header != "" {
		ctx, err := a.bearer(ctx, header)
		if err != nil {
			return request.WithRefusal(ctx, err)
		}
		return ctx
	}
	cookie, err := r.Cookie(SessionCookie)
	if err != nil || cookie.Value == "" {
		return ctx
	}
	if upgrade && !a.origins.same(r) {
		return ctx // a cookie counts only with the page that it belongs to
	}
	if !upgrade && (r.Header.Get(ConsoleHeader) != "1" || a.origins.foreign(r)) {
		return request.WithRefusal(ctx, fault.New(fault.Forbidden,
			"A request with a session's cookie must come from the console and carry the header %s: 1; programs send an API token instead.", ConsoleHeader))
	}
	return a.known(ctx, account.Credentials{Cookie: cookie.Value})
}

// known puts the owner of a session into ctx. A session that has ended is nobody:
// the console then asks to sign in.
func (a *Auth) known(ctx context.Context, c account.Credentials) context.Context {
	p, err := a.accounts.Authenticate(ctx, c)
	switch {
	case fault.Is(err, fault.Unauthenticated):
		return ctx
	case err != nil:
		return request.WithRefusal(ctx, err)
	}
	return request.WithCaller(ctx, p, a.again(c))
}

func (a *Auth) again(c account.Credentials) request.Again {
	return func(ctx context.Context) (account.Principal, error) { return a.accounts.Authenticate(ctx, c) }
}

// bearer puts the owner of an API token into ctx. Fault: UNAUTHENTICATED.
func (a *Auth) bearer(ctx context.Context, header string) (context.Context, error) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(header), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return ctx, fault.New(fault.Unauthenticated, "The header Authorization is not of the form Bearer TOKEN: correct it.")
	}
	c := account.Credentials{Bearer: strings.TrimSpace(token)}
	p, err := a.accounts.Authenticate(ctx, c)
	if err != nil {
		return ctx, err
	}
	return request.WithCaller(ctx, p, a.again(c)), nil
}

// SignIn answers the context of a WebSocket's operations: by the authorization of
// its first message, "Bearer …", or by what the request said when that is empty.
// Faults: UNAUTHENTICATED, FORBIDDEN.
func (a *Auth) SignIn(ctx context.Context, authorization string) (context.Context, error) {
	if authorization != "" {
		return a.bearer(ctx, authorization)
	}
	if err := request.Refused(ctx); err != nil {
		return ctx, err
	}
	if p := request.Caller(ctx); !p.Known() {
		return ctx, fault.New(fault.Unauthenticated, "Nobody is signed in; sign in, or send an API token in connection_init.")
	}
	return ctx, nil
}

// clientAddress is the client's IP address.
func clientAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
