package webhook

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"judge/judge"
)

// keySize is that of AES-256, in bytes.
const keySize = 32

// ErrKey says that a secret was sealed with another key than this process has.
var ErrKey = errors.New("sealed with another key")

// Key seals secrets, so that a copy of the database is no copy of them. Its
// methods may be called by many goroutines.
type Key struct {
	id   string
	aead cipher.AEAD
}

// NewKeyText makes a key, as ParseKey reads it.
func NewKeyText() string {
	b := make([]byte, keySize)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// ParseKey reads a key: 64 hexadecimal digits, with white space around them.
func ParseKey(text string) (*Key, error) {
	b, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(b) != keySize {
		return nil, fmt.Errorf("a key is %d hexadecimal digits; openssl rand -hex %d makes one", 2*keySize, keySize)
	}
	block, err := aes.NewCipher(b)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	// Of a random key nothing can be told by its hash.
	sum := sha256.Sum256(append([]byte("judge key id\x00"), b...))
	return &Key{id: hex.EncodeToString(sum[:4]), aead: aead}, nil
}

// ID is eight digits by which keys are told apart.
func (k *Key) ID() string { return k.id }

// Seal encrypts the secret of a webhook, with AES-256-GCM. It can be opened only
// as that webhook's.
func (k *Key) Seal(webhook string, s Secret) judge.SealedSecret {
	data := k.aead.Seal(nil, nil, s, []byte(webhook)) //nolint:gosec // this AEAD makes its nonces itself, and takes none
	return judge.SealedSecret{KeyID: k.id, Data: data}
}

// Open is the secret that was sealed. The error wraps ErrKey where that was done
// with another key.
func (k *Key) Open(webhook string, sealed judge.SealedSecret) (Secret, error) {
	if sealed.KeyID != k.id {
		return nil, fmt.Errorf("the secret is sealed with key %s, and the key here is %s: start the API with that one (JUDGE_SECRET_KEY), or give the webhook a new secret: %w", sealed.KeyID, k.id, ErrKey)
	}
	s, err := k.aead.Open(nil, nil, sealed.Data, []byte(webhook))
	if err != nil {
		return nil, fmt.Errorf("the secret of webhook %s is damaged: give it a new one: %w", webhook, err)
	}
	return s, nil
}

// Endpoints say which endpoints there may be, and seal their secrets.
type Endpoints struct {
	Guard

	Key *Key
}

// Seal seals the secret of a webhook, as ParseSecret reads it; one is made where
// text is empty. It returns what the receiver is to know.
func (e Endpoints) Seal(webhook, text string) (shown string, sealed judge.SealedSecret, err error) {
	s := NewSecret()
	if text != "" {
		if s, err = ParseSecret(text); err != nil {
			return "", sealed, err
		}
	}
	return s.String(), e.Key.Seal(webhook, s), nil
}
