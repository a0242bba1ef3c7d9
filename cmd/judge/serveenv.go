package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// handedOn are variables of ours that are of use to the API: for its language,
// its clock, and its bucket. All else stays with us.
var handedOn = []string{"PATH", "LANG", "TZ", "AWS_", "SSL_CERT_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}

// childEnv is the environment of a child that runs a command of ours with the
// flags that this process was given, wherever it had them from: as the child's
// user may not read the configuration file, it must not look at it. What is in
// instead goes before; there secrets are, which on a command line everybody sees.
func childEnv(k *kong.Context, command string, instead map[string]string) ([]string, error) {
	env := []string{configEnv + "=" + os.DevNull}
	for _, v := range os.Environ() {
		if slices.ContainsFunc(handedOn, func(prefix string) bool { return strings.HasPrefix(v, prefix) }) {
			env = append(env, v)
		}
	}
	ours := map[string]*kong.Flag{}
	for _, f := range k.Flags() {
		ours[f.Name] = f
	}
	i := slices.IndexFunc(k.Model.Children, func(n *kong.Node) bool { return n.Name == command })
	if i < 0 {
		return nil, fmt.Errorf("start judge %s: there is no such command", command)
	}
	for _, group := range k.Model.Children[i].AllFlags(false) {
		for _, f := range group {
			if f.Name == "help" || len(f.Envs) == 0 {
				continue
			}
			value, ok := instead[f.Name]
			if mine := ours[f.Name]; !ok && mine != nil {
				value, ok = flagText(mine)
			}
			if ok {
				env = append(env, f.Envs[0]+"="+value)
			}
		}
	}
	return env, nil
}

// flagText writes a flag's value as kong reads it; ok is false where there is
// none.
func flagText(f *kong.Flag) (text string, ok bool) {
	v := f.Target
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() || (v.IsZero() && f.Default == "") { // no default: zero is what it has by itself
		return "", false
	}
	switch v.Kind() {
	case reflect.Slice:
		var list []string
		for i := range v.Len() {
			list = append(list, fmt.Sprint(v.Index(i).Interface()))
		}
		return kong.JoinEscaped(list, f.Tag.Sep), true
	case reflect.Map:
		var list []string
		for _, key := range v.MapKeys() {
			list = append(list, fmt.Sprintf("%v=%v", key.Interface(), v.MapIndex(key).Interface()))
		}
		slices.Sort(list)
		return kong.JoinEscaped(list, f.Tag.MapSep), true
	}
	if d, ok := reflect.TypeAssert[seconds](v); ok {
		return time.Duration(d).String(), true
	}
	return fmt.Sprint(v.Interface()), true
}
