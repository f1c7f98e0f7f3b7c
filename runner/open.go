// Package runner executes read-only queries on MySQL, MariaDB and TiDB servers and reads their schemas.
// It takes nothing but checked queries and knows no prompt, model or metric.
package runner

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"
)

// maxConns bounds the connections of one DB.
const maxConns = 8

// Open connects to the server of a go-sql-driver DSN (MySQL 8, MariaDB, TiDB), which must name a database.
// No error quotes the password.
func Open(ctx context.Context, dsn string, l Limits) (DB, error) {
	cfg, err := parseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	l = l.WithDefaults()
	base, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, explain("connect to", redacted(cfg), cfg.Passwd, err)
	}
	s := &server{db: sql.OpenDB(connector{base, l}), killers: sql.OpenDB(connector{base, l}), limits: l,
		password: cfg.Passwd, native: map[string]bool{}}
	s.killers.SetMaxIdleConns(-1)
	s.db.SetMaxOpenConns(maxConns)
	s.db.SetMaxIdleConns(maxConns)
	s.backend = Backend{Database: cfg.DBName, Source: redacted(cfg)}
	if err := s.db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&s.backend.Version); err != nil {
		s.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, explain("connect to", s.backend.Source, s.password, err)
	}
	s.dialect = dialectOf(s.backend.Version)
	s.backend.Engine = s.dialect.engine
	return s, nil
}

// connector prepares every connection of the pool for its server's dialect.
type connector struct {
	driver.Connector
	limits Limits
}

// mysqlConn is what database/sql looks for in a connection of the driver's.
type mysqlConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	base, err := c.place(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := base.(mysqlConn)
	if !ok {
		base.Close()
		return nil, fmt.Errorf("prepare the session: the driver's connection is a %T", base)
	}
	s, err := newSession(ctx, conn, c.limits)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("prepare the session: %w", err)
	}
	return s, nil
}

// placeTime bounds the wait for a place on a server that has none.
const placeTime = time.Second

// place connects. Where there is no place it waits a little: servers count a connection that ended some moments longer.
func (c connector) place(ctx context.Context) (driver.Conn, error) {
	end := time.Now().Add(placeTime)
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		conn, err := c.Connector.Connect(ctx)
		if refused, ok := errors.AsType[*mysql.MySQLError](err); !ok || !full[refused.Number] || time.Now().After(end) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
		}
	}
}
