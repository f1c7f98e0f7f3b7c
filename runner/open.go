// Package runner executes read-only queries on MySQL, MariaDB and TiDB servers and reads their schemas.
// It takes nothing but checked queries and knows no prompt, model or metric.
package runner

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

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
	s := &server{db: sql.OpenDB(connector{base, l}), limits: l, password: cfg.Passwd}
	s.db.SetMaxOpenConns(maxConns)
	s.db.SetMaxIdleConns(maxConns)
	s.backend = Backend{Database: cfg.DBName, Source: redacted(cfg)}
	if err := s.db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&s.backend.Version); err != nil {
		s.db.Close()
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

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	version, err := serverVersion(ctx, conn)
	if err == nil {
		_, err = conn.(driver.ExecerContext).ExecContext(ctx, dialectOf(version).setup(c.limits), nil)
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("prepare the session: %w", err)
	}
	return conn, nil
}

func serverVersion(ctx context.Context, conn driver.Conn) (string, error) {
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, "SELECT VERSION()", nil)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); err != nil {
		return "", err
	}
	version, ok := row[0].([]byte)
	if !ok {
		return "", fmt.Errorf("VERSION() is a %T", row[0])
	}
	return string(version), nil
}
