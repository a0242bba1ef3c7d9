// Package deploy is data: what operators take from judge deploy NAME. It reads
// and checks nothing.
package deploy

import "embed"

// FS holds the files; each says at its head where it goes.
//
//go:embed *.service *.yml *.json
var FS embed.FS
