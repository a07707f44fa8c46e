package web

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// maxForm bounds the body of a sign-in, in bytes.
const maxForm = 16 << 10

// session answers the requests that open and end sessions.
type session struct {
	*Auth
	clock clock.Clock
	log   *slog.Logger
}

// signIn takes {"name","password"}, sets the session's cookie and answers 204; 401
// for a wrong name or password, 429 after too many.
func (s session) signIn(w http.ResponseWriter, r *http.Request) {
	var form struct{ Name, Password string }
	if err := s.read(w, r, &form); err != nil {
		s.refuse(w, r, err)
		return
	}
	in, err := s.accounts.SignIn(r.Context(), form.Name, form.Password, clientAddress(r))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.setCookie(w, in)
	w.WriteHeader(http.StatusNoContent)
}

// link takes {"token"}, and {"token","password"} once it has answered that the
// account needs one. It answers {"needsPassword"} and, when that is true, the
// account's name; otherwise the session's cookie is set.
func (s session) link(w http.ResponseWriter, r *http.Request) {
	var form struct{ Token, Password string }
	if err := s.read(w, r, &form); err != nil {
		s.refuse(w, r, err)
		return
	}
	redeemed, err := s.accounts.RedeemLink(r.Context(), form.Token, form.Password, clientAddress(r))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if redeemed.NeedsPassword {
		writeJSON(w, http.StatusOK, map[string]any{"needsPassword": true, "name": redeemed.Name})
		return
	}
	s.setCookie(w, redeemed.SignedIn)
	writeJSON(w, http.StatusOK, map[string]any{"needsPassword": false})
}

// signOut ends the session of the cookie, if it has one, and takes the cookie
// away.
func (s session) signOut(w http.ResponseWriter, r *http.Request) {
	if s.origins.foreign(r) || r.Header.Get(ConsoleHeader) != "1" {
		s.refuse(w, r, fault.New(fault.Forbidden, "Signing out needs the header %s: 1, from the console's own address.", ConsoleHeader))
		return
	}
	if cookie, err := r.Cookie(SessionCookie); err == nil {
		if err := s.accounts.SignOut(r.Context(), cookie.Value); err != nil {
			s.refuse(w, r, err)
			return
		}
	}
	s.cookie(w, "", -1)
	w.WriteHeader(http.StatusNoContent)
}

// read reads a form. The content type makes browsers ask first when another
// site's page sends it, and nobody answers that question.
func (s session) read(w http.ResponseWriter, r *http.Request, form any) error {
	if s.origins.foreign(r) {
		return fault.New(fault.Forbidden, "Signing in from another site's page is refused: open the console at its own address.")
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return fault.New(fault.Invalid, "The request must be JSON: send Content-Type: application/json.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if _, big := errors.AsType[*http.MaxBytesError](err); big {
		return fault.New(fault.Invalid, "The request has more than %d bytes: shorten it.", maxForm)
	}
	if err != nil || json.Unmarshal(body, form) != nil {
		return fault.New(fault.Invalid, "The request is not the JSON object that is expected here: correct it.")
	}
	return nil
}

// refuse answers an error; one that is not for people is logged.
func (s session) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if len(fault.All(err)) == 0 && r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "a sign-in failed", "request_id", request.ID(r.Context()), "path", r.URL.Path, "error", err)
	}
	writeError(w, r, err)
}

func (s session) setCookie(w http.ResponseWriter, in account.SignedIn) {
	s.cookie(w, in.Secret, int(in.ExpiresAt.Sub(s.clock.Now()).Seconds()))
}

func (s session) cookie(w http.ResponseWriter, secret string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: SessionCookie, Value: secret, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: s.https, SameSite: http.SameSiteLaxMode,
	})
}
