//go:build postgres

package archive_test

import (
	"os"
	"testing"

	"judge/judge/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
