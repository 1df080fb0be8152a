// Package envelope is the one shape of every answer: to a model, to a program
// and to a person's -o json. It also measures answers against the byte budget.
package envelope

import (
	"bytes"
	"encoding/json"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/redact"
)

// Envelope is an answer: data and meta when OK, else an error.
type Envelope struct {
	OK    bool     `json:"ok"`
	Data  any      `json:"data,omitempty"`
	Meta  *Meta    `json:"meta,omitempty"`
	Error *Failure `json:"error,omitempty"`
}

// Failure is an error as callers see it.
type Failure struct {
	Code    fault.Code     `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
}

// Meta says where data came from and what was left out of it.
type Meta struct {
	Profile  string  `json:"profile,omitempty"`
	Device   *Device `json:"device,omitempty"`
	VDOM     string  `json:"vdom,omitempty"`
	Resource string  `json:"resource,omitempty"`
	// Start, Returned, NextStart and Total are set for listings. Total is left out
	// where the device does not tell; NextStart where nothing follows.
	Start     *int `json:"start,omitempty"`
	Returned  *int `json:"returned,omitempty"`
	NextStart *int `json:"next_start,omitempty"`
	Total     *int `json:"total,omitempty"`
	// Truncated says why a listing ended early: "byte_budget" or "count".
	Truncated string `json:"truncated,omitempty"`
	// Redacted are JSON pointers of masked values, "*" for any row.
	Redacted []string `json:"redacted,omitempty"`
	// Cut names lists that were shortened within one object.
	Cut []Cut `json:"cut,omitempty"`
	// Notes say what a reader should know of the answer.
	Notes []string `json:"notes,omitempty"`
}

// Device is who answered.
type Device struct {
	Serial  string `json:"serial"`
	Version string `json:"version"`
	Build   int    `json:"build"`
}

// Cut is a list that was shortened to fit the budget.
type Cut struct {
	Pointer string `json:"pointer"`
	Kept    int    `json:"kept"`
	Total   int    `json:"total"`
}

// Success is an answer with data; meta may be nil.
func Success(data any, meta *Meta) Envelope { return Envelope{OK: true, Data: data, Meta: meta} }

// Failed is an answer with an error of any type. What is not a fault is shown as
// internal, without its text. Secrets that their form gives away are masked in message
// and details, whoever quoted them.
func Failed(err error) Envelope {
	f := fault.From(err)
	return Envelope{Error: &Failure{Code: f.Code, Message: redact.Text(f.Message), Details: told(f.Details)}}
}

// told are the details of an error without what their form gives away as secret.
// Records of the product's own, which are neither texts nor lists of them, were masked
// when they were made.
func told(details map[string]any) map[string]any {
	if details == nil {
		return nil
	}
	clean := make(map[string]any, len(details))
	for name, v := range details {
		switch x := v.(type) {
		case []fault.Problem:
			clean[name] = problems(x)
		case []string:
			clean[name] = texts(x)
		default:
			clean[name], _ = redact.Untyped(v, func(string) bool { return false })
		}
	}
	return clean
}

func problems(list []fault.Problem) []fault.Problem {
	clean := make([]fault.Problem, len(list))
	for i, p := range list {
		clean[i] = fault.Problem{Pointer: redact.Text(p.Pointer), Problem: redact.Text(p.Problem)}
	}
	return clean
}

func texts(list []string) []string {
	clean := make([]string, len(list))
	for i := range list {
		clean[i] = redact.Text(list[i])
	}
	return clean
}

// Of is Failed when err is set, else Success.
func Of(data any, meta *Meta, err error) Envelope {
	if err != nil {
		return Failed(err)
	}
	return Success(data, meta)
}

// Encode writes the envelope as compact JSON without HTML escapes.
func (e Envelope) Encode() ([]byte, error) { return JSON(e) }

// JSON is a value as answers write it: compact, without HTML escapes.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "an answer could not be encoded")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
