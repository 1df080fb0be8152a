package mcp

import (
	"context"
	"strconv"

	"go.uber.org/zap"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

// call carries a tool out. The tool's own failure is a result.
func (s *Server) call(ctx context.Context, params []byte, client string, frame frame) ([]byte, error) {
	name, ok := jsonrpc.String(jsonrpc.Member(params, "name"))
	if !ok {
		return nil, invalid("name is required and must be a string")
	}
	t, err := s.find(name)
	if err != nil {
		return nil, err
	}
	caller := s.options.Caller
	caller.Client = client
	data, meta, failure := t.run(ctx, s.engine, caller, jsonrpc.Member(params, "arguments"))
	if fault.CodeOf(failure) == fault.Internal {
		s.options.Logger.Error("a tool failed", zap.String("tool", t.name), zap.Error(failure), zap.NamedError("cause", fault.From(failure).Err))
	}
	answer, err := envelope.Of(data, meta, failure).Encode()
	if err != nil {
		return nil, err
	}
	return frame(s, answer, engine.Advice(failure), failure != nil)
}

func (s *Server) find(name string) (tool, error) {
	for _, t := range s.tools {
		if t.name == name {
			return t, nil
		}
	}
	message := "Unknown tool: " + label(name)
	for _, t := range tools() {
		if t.name == name { // not offered because of --read-only
			message += " (forti-mcp runs with --read-only; plan and apply are disabled)"
		}
	}
	return tool{}, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: message}
}

// frame makes a call's result around the envelope's JSON.
type frame func(s *Server, answer []byte, advice string, failed bool) ([]byte, error)

func legacyFrame(_ *Server, answer []byte, advice string, failed bool) ([]byte, error) {
	result, err := appendContent([]byte("{"), answer, advice, failed)
	return appendStructured(result, answer), err
}

func modernFrame(s *Server, answer []byte, advice string, failed bool) ([]byte, error) {
	meta, err := s.fixed.modernMeta()
	if err != nil {
		return nil, err
	}
	result := append([]byte(`{"_meta":`), meta...)
	result, err = appendContent(append(result, ','), answer, advice, failed)
	return appendStructured(append(result, `,"resultType":"complete"`...), answer), err
}

// appendContent appends the text blocks, the envelope's JSON first, and isError.
func appendContent(dst, answer []byte, advice string, failed bool) ([]byte, error) {
	dst = append(dst, `"content":[`...)
	dst, err := appendText(dst, string(answer))
	if err == nil && advice != "" {
		dst, err = appendText(append(dst, ','), advice)
	}
	dst = append(dst, `],"isError":`...)
	return strconv.AppendBool(dst, failed), err
}

func appendText(dst []byte, text string) ([]byte, error) {
	quoted, err := jsonrpc.Encode(text)
	dst = append(dst, `{"text":`...)
	dst = append(dst, quoted...)
	return append(dst, `,"type":"text"}`...), err
}

func appendStructured(dst, answer []byte) []byte {
	dst = append(dst, `,"structuredContent":`...)
	dst = append(dst, answer...)
	return append(dst, '}')
}
