package blob

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// The window bounds what a frame may ask of our memory, whatever its header says.
const (
	window   = 1 << 20
	maxBlock = 128 << 10 // RFC 8878, 3.1.1.2.4: Block_Maximum_Size
)

var encoders = sync.Pool{New: func() any {
	// The default level saves a tenth more, at a third of the speed.
	// The SHA-256 makes the frame's own checksum idle. Options that do not fit
	// together are the only error, and these are constant.
	enc, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(window))
	return enc
}}

// compress writes r to w as one zstd frame.
func compress(w io.Writer, r io.Reader) error {
	enc := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(enc)
	enc.Reset(w)
	_, err := io.Copy(enc, r)
	return errors.Join(err, enc.Close())
}

// rawSize is how long a frame of raw blocks for size bytes is.
func rawSize(size int64) int64 { return 6 + size + 3*max((size+maxBlock-1)/maxBlock, 1) }

// raw reads as a zstd frame of raw blocks that holds the size bytes of r
// (RFC 8878, 3.1.1).
type raw struct {
	r    io.Reader
	left int64  // bytes of r that are in no block yet
	head []byte // of the frame or of a block, still to be read
	body int64  // bytes of the block still to be read
	done bool   // the last block has begun
}

func newRaw(r io.Reader, size int64) *raw {
	const descriptor = 0 // no size, no checksum, no dictionary, a window follows
	const windowLog = 20
	head := binary.LittleEndian.AppendUint32(nil, 0xFD2FB528)
	return &raw{r: r, left: size, head: append(head, descriptor, (windowLog-10)<<3)}
}

func (f *raw) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(f.head) == 0 && f.body == 0 {
		if f.done {
			return 0, io.EOF
		}
		f.block()
	}
	if len(f.head) > 0 {
		n := copy(p, f.head)
		f.head = f.head[n:]
		return n, nil
	}
	n, err := f.r.Read(p[:min(int64(len(p)), f.body)])
	f.body -= int64(n)
	if errors.Is(err, io.EOF) && (f.body > 0 || f.left > 0) {
		err = io.ErrUnexpectedEOF
	} else if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f *raw) block() {
	f.body = min(f.left, maxBlock)
	f.left -= f.body
	f.done = f.left == 0
	header := uint32(f.body) << 3 // type 0: raw
	if f.done {
		header |= 1
	}
	f.head = []byte{byte(header), byte(header >> 8), byte(header >> 16)}
}

var decoders = sync.Pool{New: func() any {
	// With a concurrency of 1 a decoder has no goroutines that would outlive it.
	dec, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
	return dec
}}
