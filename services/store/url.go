package store

import (
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// target is where a database URL leads.
type target struct {
	dialect dialect
	path    string        // SQLite: absolute path of the file
	mysql   *mysql.Config // MySQL and MariaDB
}

// urlForms is shown with every refusal of a database URL.
const urlForms = "write mysql://user:password@host:port/database or sqlite:///absolute/path"

// parseURL reads a database URL. A password within it never appears in an error.
func parseURL(raw string) (target, error) {
	scheme, _, found := strings.Cut(raw, "://")
	if !found {
		return target{}, fault.New(fault.Invalid, "The database URL has no scheme: %s.", urlForms)
	}
	switch scheme {
	case "sqlite":
		return parseSQLiteURL(raw)
	case "mysql", "mariadb":
		return parseMySQLURL(raw)
	}
	return target{}, fault.New(fault.Unsupported, "The database URL begins with %q: %s.", scheme+"://", urlForms)
}

func parseSQLiteURL(raw string) (target, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host != "" || u.RawQuery != "" || !filepath.IsAbs(filepath.FromSlash(u.Path)) {
		return target{}, fault.New(fault.Invalid,
			"The database URL %q names no absolute path: write sqlite:///absolute/path, with three slashes and no options.", raw)
	}
	return target{dialect: sqlite, path: filepath.Clean(filepath.FromSlash(u.Path))}, nil
}

// parseMySQLURL turns the URL into the driver's settings. Options of the driver
// may follow, for example ?tls=skip-verify or ?socket=/run/mysqld.sock; what the
// ledger depends on is set here whatever they say.
func parseMySQLURL(raw string) (target, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return target{}, fault.New(fault.Invalid,
			"The database URL cannot be read (escape special characters of the password, for example @ as %%40): %s.", urlForms)
	}
	name := strings.TrimPrefix(u.Path, "/")
	if name == "" || strings.Contains(name, "/") || u.User.Username() == "" {
		return target{}, fault.New(fault.Invalid, "The database URL lacks a user or a database name: %s.", urlForms)
	}
	query := u.Query()
	socket := query.Get("socket")
	query.Del("socket")
	if u.Hostname() == "" && socket == "" {
		return target{}, fault.New(fault.Invalid, "The database URL lacks a host: %s.", urlForms)
	}
	cfg, err := mysql.ParseDSN("/?" + query.Encode())
	if err != nil {
		return target{}, fault.New(fault.Invalid, "The database URL has a wrong option: %s.", err)
	}
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.DBName = name
	cfg.Net, cfg.Addr = "tcp", net.JoinHostPort(u.Hostname(), portOr(u.Port(), "3306"))
	if socket != "" {
		cfg.Net, cfg.Addr = "unix", socket
	}
	return target{dialect: mariadb, mysql: cfg}, nil
}

func portOr(port, fallback string) string {
	if port == "" {
		return fallback
	}
	return port
}
