package web

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// maxForm bounds the body of a sign-in, in bytes.
const maxForm = 16 << 10

// session answers the requests that open and end sessions.
type session struct {
	*Auth
	log *slog.Logger
}

// signIn takes {"name","password"}, sets the session's cookie and answers 204; 401
// for a wrong name or password, 429 after too many. An account with a second factor gets
// 200 and what is asked for next instead: see asks.
func (s session) signIn(w http.ResponseWriter, r *http.Request) {
	var form struct{ Name, Password string }
	if err := s.read(w, r, &form); err != nil {
		s.refuse(w, r, err)
		return
	}
	in, err := s.accounts.SignIn(r.Context(), form.Name, form.Password, s.place(r, form.Name))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if in.Next != account.NextNothing {
		writeJSON(w, http.StatusOK, asks(in))
		return
	}
	s.open(w, r, in)
	w.WriteHeader(http.StatusNoContent)
}

// asks is what a sign-in still asks for: {"next":"code","ticket"}, or {"next":"enrol",
// "ticket","secret","uri","qr"} when a second factor must be set up first.
func asks(in account.SignedIn) map[string]any {
	body := map[string]any{"next": in.Next, "ticket": in.Ticket}
	if in.Enrolment != nil {
		body["secret"], body["uri"], body["qr"] = in.Enrolment.Secret, in.Enrolment.URI, in.Enrolment.QR
	}
	return body
}

// secondFactor takes {"ticket","code"}, the code of the second factor or a recovery code,
// and sets the session's cookie. It answers 204, or 200 with {"recoveryCodes"} when the
// second factor was set up with it.
func (s session) secondFactor(w http.ResponseWriter, r *http.Request) {
	var form struct{ Ticket, Code string }
	if err := s.read(w, r, &form); err != nil {
		s.refuse(w, r, err)
		return
	}
	in, err := s.accounts.FinishSignIn(r.Context(), form.Ticket, form.Code, clientAddress(r))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.open(w, r, in)
	if len(in.RecoveryCodes) > 0 {
		writeJSON(w, http.StatusOK, map[string]any{"recoveryCodes": in.RecoveryCodes})
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// link takes {"token"}, and {"token","password"} once it has answered that the
// account needs one. It answers {"needsPassword"} and, when that is true, the
// account's name; otherwise the session's cookie is set, or it answers what asks says too.
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
	body := map[string]any{"needsPassword": false}
	if redeemed.SignedIn.Next != account.NextNothing {
		maps.Copy(body, asks(redeemed.SignedIn))
	} else {
		s.open(w, r, redeemed.SignedIn)
	}
	writeJSON(w, http.StatusOK, body)
}

// open gives a browser its new session and ends the one that it had.
func (s session) open(w http.ResponseWriter, r *http.Request, in account.SignedIn) {
	if old, err := r.Cookie(SessionCookie); err == nil {
		if err := s.accounts.SignOut(r.Context(), old.Value); err != nil {
			s.log.WarnContext(r.Context(), "a browser's former session could not be ended", "request_id", request.ID(r.Context()), "error", err)
		}
	}
	s.setCookie(w, r, in)
	if device := s.accounts.Device(in.Principal.Name); device != "" {
		s.put(w, r, DeviceCookie, device, int(account.DeviceLife.Seconds()))
	}
}

// place is what failures of a sign-in are counted by.
func (s session) place(r *http.Request, name string) string {
	device := ""
	if cookie, err := r.Cookie(DeviceCookie); err == nil {
		device = cookie.Value
	}
	return s.accounts.Place(name, device, clientAddress(r))
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
	s.put(w, r, SessionCookie, "", -1)
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

// methods answers how people sign in here: {"password","provider"}, the latter null or
// {"name","available"}.
func (s session) methods(provider Provider) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		body := map[string]any{"password": s.accounts.TakesPasswords(), "provider": nil}
		if provider != nil {
			body["provider"] = map[string]any{"name": provider.Name(), "available": provider.Available()}
		}
		writeJSON(w, http.StatusOK, body)
	}
}
