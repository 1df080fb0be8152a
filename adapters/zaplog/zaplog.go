// Package zaplog makes the product's logger: JSON lines for stderr, with a wall
// that keeps secrets out of them.
//
// Secrets are a type that prints as a mask, so no log call should ever hold one.
// The wall is for the call that does: every message and every field passes it.
package zaplog

import (
	"io"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// New makes a logger that writes entries from a level on to w, one JSON object a
// line. It is safe for concurrent use, also where w is not. stdout is never a
// good w: it belongs to results.
func New(w io.Writer, level zapcore.LevelEnabler) *zap.Logger {
	out := zapcore.Lock(zapcore.AddSync(w))
	encoder := zapcore.NewJSONEncoder(zapcore.EncoderConfig{
		TimeKey:        "time",
		LevelKey:       "level",
		NameKey:        "logger",
		MessageKey:     "message",
		StacktraceKey:  "stack",
		EncodeTime:     zapcore.RFC3339NanoTimeEncoder,
		EncodeLevel:    zapcore.LowercaseLevelEncoder,
		EncodeDuration: zapcore.StringDurationEncoder,
	})
	return zap.New(Redact(zapcore.NewCore(encoder, out, level)), zap.ErrorOutput(out))
}
