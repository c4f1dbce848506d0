// pgx and lib/pq, the PostgreSQL drivers of Go. Arguments: the endpoint's port and a token.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	_ "github.com/lib/pq"
)

var failed int

// check compares what is printed for a value with the expected text.
func check(what string, value any, err error, expected string) {
	found := fmt.Sprint(value)
	if err != nil {
		found = err.Error()
	}
	if found == expected {
		fmt.Println("  passed     ", what)
		return
	}
	failed++
	fmt.Printf("  FAILED      %s: %s is not %s\n", what, found, expected)
}

type query func(sql string, values ...any) (any, error)

// shared holds what both drivers return for the same statements.
func shared(name string, q query) {
	test := func(what, expected, sql string, values ...any) {
		value, err := q(sql, values...)
		check(name+": "+what, value, err, expected)
	}
	test("an integer", "[[1]]", "SELECT id FROM shop.orders WHERE id = $1", 1)
	test("a text", "[[1]]", "SELECT id FROM shop.orders WHERE buyer = $1", "Ann")
	test("a boolean", "[[1]]", "SELECT id FROM shop.orders WHERE paid = $1", true)
	test("a time", "[[1]]", "SELECT id FROM shop.orders WHERE placed > $1", time.Unix(0, 0))
	test("a null", "[[2]]", "SELECT id FROM shop.orders WHERE buyer IS NOT DISTINCT FROM $1::text", nil)
	test("a limit", "[[1] [2]]", "SELECT id FROM shop.orders ORDER BY id LIMIT $1", 2)
	test("an operand", "[[true]]", "SELECT id + $1 = 6 FROM shop.orders WHERE id = 1", 5)
	test("a fraction as operand", "[[true]]", "SELECT amount * $1 = 15.75 FROM shop.orders WHERE id = 1", "1.5")
	test("rows", "[[1 Ann true] [2 <nil> <nil>]]", "SELECT id, buyer, paid FROM shop.orders WHERE id < 3 ORDER BY id")
}

func throughPgx(ctx context.Context, url string) error {
	modes := []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec}
	for _, mode := range modes {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		shared("pgx, "+mode.String(), func(sql string, values ...any) (any, error) {
			rows, err := conn.Query(ctx, sql, append([]any{mode}, values...)...)
			if err != nil {
				return nil, err
			}
			return pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
		})
		conn.Close(ctx)
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var count int
	err = conn.QueryRow(ctx, "SELECT count(*) FROM shop.orders WHERE id = ANY($1)", []int64{1, 3}).Scan(&count)
	check("pgx: a list", count, err, "2")
	rows := pgx.CopyFromRows([][]any{{int64(60), "x"}, {int64(61), nil}})
	copied, err := conn.CopyFrom(ctx, pgx.Identifier{"shop", "written"}, []string{"id", "buyer"}, rows)
	check("pgx: CopyFrom", copied, err, "2")
	tag, err := conn.Exec(ctx, "DELETE FROM shop.written WHERE id IN ($1, $2)", 60, 61)
	check("pgx: DELETE", tag, err, "DELETE 2")
	return nil
}

func throughPq(url string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer db.Close()
	q := func(statement string, values ...any) (any, error) {
		rows, err := db.Query(statement, values...)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		found := [][]any{}
		for rows.Next() {
			row, targets := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				targets[i] = &row[i]
			}
			if err := rows.Scan(targets...); err != nil {
				return nil, err
			}
			found = append(found, row)
		}
		return found, rows.Err()
	}
	shared("lib/pq", q)
	_, err = q("SELECT id FROM shop.orders WHERE id = $1", 1.6)
	check("lib/pq: a fraction for an integer", err != nil, nil, "true")
	return nil
}

func main() {
	url := fmt.Sprintf("postgres://admin:%s@127.0.0.1:%s/dev?sslmode=disable", os.Args[2], os.Args[1])
	for _, err := range []error{throughPgx(context.Background(), url), throughPq(url)} {
		if err != nil {
			failed++
			fmt.Println("  FAILED     ", err)
		}
	}
	if failed > 0 {
		fmt.Printf("Go: %d failed.\n", failed)
		os.Exit(1)
	}
	fmt.Println("Go: all passed.")
}
