package harness

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
)

// ModernMeta is the metadata that makes a request one of the modern era.
const ModernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"by-hand","version":"1"}}`

// Message is a line of the server's standard output.
type Message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// ToolResult is the result of a call of a tool.
type ToolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError    bool     `json:"isError"`
	Structured Envelope `json:"structuredContent"`
	ResultType string   `json:"resultType"`
}

// Session is a running forti-mcp and its client, which writes its lines by hand.
type Session struct {
	*Process
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// Serve starts forti-mcp.
func (l *Lab) Serve(args ...string) *Session {
	l.TB.Helper()
	p := l.prepare("forti-mcp", args)
	out, inside, err := os.Pipe()
	if err != nil {
		l.TB.Fatal(err)
	}
	l.TB.Cleanup(func() { _ = out.Close() })
	in, err := p.cmd.StdinPipe()
	if err != nil {
		l.TB.Fatal(err)
	}
	p.cmd.Stdout = inside
	p.start()
	if err := inside.Close(); err != nil {
		l.TB.Fatal(err)
	}
	return &Session{Process: p, in: in, out: bufio.NewReaderSize(io.TeeReader(out, &p.out), 1<<16)}
}

// Send writes a line.
func (s *Session) Send(line string) {
	s.lab.TB.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.lab.TB.Fatalf("%v\nstderr: %s", err, &s.err)
	}
}

// Line reads the next line of standard output.
func (s *Session) Line() Message {
	s.lab.TB.Helper()
	return s.lab.Message(s.Raw())
}

// Raw reads the next line of standard output and does not look into it.
func (s *Session) Raw() string {
	s.lab.TB.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.lab.TB.Fatalf("no answer: %v\nstdout: %s\nstderr: %s", err, &s.Process.out, &s.err)
	}
	return line
}

// Message reads one line of standard output, which must be one JSON-RPC answer.
func (l *Lab) Message(line string) Message {
	l.TB.Helper()
	var m Message
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" || (m.Result == nil) == (m.Error == nil) {
		l.TB.Fatalf("not a JSON-RPC answer (%v): %q", err, line)
	}
	return m
}

// Begin sends a modern request of a tool and does not wait for its answer.
func (s *Session) Begin(tool, arguments string) {
	s.lab.TB.Helper()
	s.id++
	s.Send(ModernCall(s.id, tool, arguments))
}

// Call calls a tool in the modern era.
func (s *Session) Call(tool, arguments string) ToolResult {
	s.lab.TB.Helper()
	s.Begin(tool, arguments)
	return s.lab.Tool(s.Line())
}

// ModernCall is the line of a modern call of a tool.
func ModernCall(id int, tool, arguments string) string {
	number, _ := json.Marshal(id) // a number always encodes
	return `{"jsonrpc":"2.0","id":` + string(number) + `,"method":"tools/call","params":{` + ModernMeta +
		`,"name":"` + tool + `","arguments":` + arguments + `}}`
}

// Tool reads a call's result: text and structured content must say the same.
func (l *Lab) Tool(m Message) ToolResult {
	l.TB.Helper()
	if m.Error != nil {
		l.TB.Fatalf("a protocol error: %d %s", m.Error.Code, m.Error.Message)
	}
	var r ToolResult
	var raw struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	if err := errors.Join(json.Unmarshal(m.Result, &r), json.Unmarshal(m.Result, &raw)); err != nil {
		l.TB.Fatalf("%v in %s", err, m.Result)
	}
	if len(r.Content) == 0 || r.Content[0].Text != string(raw.Structured) {
		l.TB.Fatalf("the first text is not the structured content: %s", m.Result)
	}
	if r.IsError == r.Structured.OK {
		l.TB.Fatalf("isError is %v and ok %v: %s", r.IsError, r.Structured.OK, m.Result)
	}
	return r
}

// Close ends standard input and waits for the end. Stdout is all of it.
func (s *Session) Close() Result {
	s.lab.TB.Helper()
	if err := s.in.Close(); err != nil {
		s.lab.TB.Fatal(err)
	}
	return s.Wait()
}

// Wait reads standard output to its end and waits for the end of the program.
func (s *Session) Wait() Result {
	s.lab.TB.Helper()
	if _, err := io.Copy(io.Discard, s.out); err != nil {
		s.lab.TB.Fatal(err)
	}
	return s.Process.Wait()
}

// Kill ends the program as a crash does and waits until it is gone.
func (s *Session) Kill() {
	s.lab.TB.Helper()
	s.Signal(syscall.SIGKILL)
	s.Wait().Must(-1)
}
