package main

import (
	"errors"
	"fmt"

	"judge/judge/store/embedded"
	"judge/migrations"
)

// migrateCmd brings the database's schema to this build's version.
type migrateCmd struct {
	databaseFlags

	Check           bool   `help:"Change nothing; exit code 1 where the schema is not this build's."`
	APIRole         string `name:"api-role" placeholder:"NAME" help:"Also make sure of a role for judge api, which may only read and write rows; its password is in JUDGE_API_ROLE_PASSWORD."`
	APIRolePassword string `name:"api-role-password" placeholder:"PASSWORD" help:"The password of --api-role; better in the environment, which other users do not see."`
}

// Help is shown by judge migrate --help.
func (migrateCmd) Help() string {
	return `judge serve migrates by itself when it starts. Where API and workers are processes of their own, run this once before the new build's are started. It is safe at any time and from several places: one does it, the others wait. There is no way back but a backup.`
}

// Run migrates, or only looks.
func (c *migrateCmd) Run(a *app) (err error) {
	if c.APIRole != "" && c.APIRolePassword == "" {
		return badInput{errors.New("--api-role " + c.APIRole + ": give its password in JUDGE_API_ROLE_PASSWORD")}
	}
	db, err := a.openDatabase(c.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	before, err := db.Version(a.ctx)
	if err != nil {
		return err
	}
	if c.Check {
		if err := db.Check(a.ctx); err != nil {
			return err
		}
		_, err := fmt.Fprintf(a.out, "schema version %d, as this build wants it\n", before)
		return err
	}
	if err := db.Migrate(a.ctx); err != nil {
		return err
	}
	if c.APIRole != "" {
		if err := embedded.MakeRole(a.ctx, db.Pool(), c.APIRole, c.APIRolePassword); err != nil {
			return err
		}
	}
	after, err := migrations.Latest()
	if err != nil {
		return err
	}
	if before == after {
		_, err = fmt.Fprintf(a.out, "schema version %d: nothing to do\n", after)
	} else {
		_, err = fmt.Fprintf(a.out, "schema version %d, was %d\n", after, before)
	}
	return err
}
