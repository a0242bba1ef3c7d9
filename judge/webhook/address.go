package webhook

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// inner are the networks that are not the internet's: of this machine, private,
// link-local (where clouds have their metadata), shared, for documentation and
// tests, multicast, or not given out (IANA's special-purpose registries). IPv6 is
// allowed only where it is given out, 2000::/3, less what is listed here; of its
// ways to write an IPv4 address, the address decides.
var inner = parsePrefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/3",
	"2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20",
)

var (
	globalV6  = netip.MustParsePrefix("2000::/3")
	nat64     = netip.MustParsePrefix("64:ff9b::/96") // the last four bytes are an IPv4 address
	sixToFour = netip.MustParsePrefix("2002::/16")    // the two to five
)

func parsePrefixes(texts ...string) (out []netip.Prefix) {
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// Guard says which addresses may be dialled: those of the internet, and what is
// allowed beside. The zero value allows nothing more.
type Guard struct {
	Allow []netip.Prefix
}

// allowed reports whether an address is in one of the networks that are named.
func (g Guard) allowed(a netip.Addr) bool {
	for _, p := range g.Allow {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// Check says why an address may not be dialled; nil: it may.
func (g Guard) Check(a netip.Addr) error {
	a = a.Unmap().WithZone("")
	if g.allowed(a) || public(a) {
		return nil
	}
	return fmt.Errorf("address %s is not of the internet: such ones are told only if the operator allows them (--webhook-allow)", a)
}

func public(a netip.Addr) bool {
	switch b := a.As16(); {
	case !a.IsValid():
		return false
	case nat64.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[12:])))
	case sixToFour.Contains(a):
		return public(netip.AddrFrom4([4]byte(b[2:6])))
	case a.Is6() && !globalV6.Contains(a):
		return false
	}
	for _, p := range inner {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// control is net.Dialer's: it sees the address that is about to be dialled,
// whatever the name's server said before.
func (g Guard) control(plain bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("address %q: %w", address, err)
		}
		a := at.Addr().Unmap().WithZone("")
		if plain && !g.allowed(a) {
			return errPlain
		}
		return g.Check(a)
	}
}

var errPlain = fmt.Errorf("http without TLS is only for networks that the operator names (--webhook-allow): use https")

// maxURL is the length of a URL in bytes.
const maxURL = 2048

// CheckURL says what is wrong with the URL of an endpoint, as far as it can be
// told without asking for its name; nil: nothing.
func (g Guard) CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxURL || strings.ContainsAny(text, "\x00\r\n\t ") {
		return fmt.Errorf("it is no URL; write https://HOST/PATH, of at most %d bytes", maxURL)
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "", u.Opaque != "":
		return fmt.Errorf("write https://HOST/PATH")
	case u.User != nil:
		return fmt.Errorf("it has a user's name in it: what is sent is signed, and needs no password")
	case u.Fragment != "":
		return fmt.Errorf("it has a fragment (#%.40s), which is never sent", u.Fragment)
	case u.Scheme == "http" && len(g.Allow) == 0:
		return errPlain
	}
	a, err := netip.ParseAddr(u.Hostname())
	switch {
	case err == nil && u.Scheme == "http" && !g.allowed(a.Unmap().WithZone("")):
		return errPlain
	case err == nil:
		return g.Check(a)
	}
	return nil // a name
}
