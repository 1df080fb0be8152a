// Package planfile is the stored form of plans. The file is the canonical bytes
// that the digest covers: what is hashed, shown, approved and executed is one
// buffer.
//
// Nothing outside this package knows the form. Unknown versions, unknown keys,
// other encodings of the same value and requests that do not say what their
// operation says are refused.
package planfile

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/wire"
)

// Format is the version of the stored form.
const Format = 1

const digestDomain = "forti-plan-v1"

type file struct {
	V            int             `json:"v"`
	ID           plan.ID         `json:"id"`
	Kind         plan.Kind       `json:"kind"`
	CreatedAt    time.Time       `json:"created_at"`
	Engine       string          `json:"engine"`
	Catalog      canon.Digest    `json:"catalog"`
	Rules        string          `json:"rules"`
	Parent       plan.ID         `json:"parent"`
	Device       plan.Target     `json:"device"`
	Management   plan.Management `json:"management"`
	Risk         plan.Risk       `json:"risk"`
	Operations   []fileOperation `json:"operations"`
	Irreversible []string        `json:"not_reversible"`
}

type fileOperation struct {
	Index    int                 `json:"i"`
	Op       plan.Op             `json:"op"`
	Source   string              `json:"source"`
	Resource string              `json:"resource"`
	VDOM     string              `json:"vdom"`
	Key      operation.Key       `json:"key"`
	Wire     wire.Request        `json:"wire"`
	Pre      []plan.Precondition `json:"pre"`
	Before   map[string]any      `json:"before"`
	Expect   map[string]any      `json:"expect"`
	Order    *fileOrder          `json:"order"`
	Lost     []string            `json:"lost"`
	Users    *int                `json:"users"`
	Tier     plan.Tier           `json:"tier"`
	Rules    []string            `json:"rules"`
	Secrets  []plan.SecretRef    `json:"secrets"`
}

type fileOrder struct {
	Where  string          `json:"where"`
	Anchor operation.Key   `json:"anchor"`
	Before []operation.Key `json:"before"`
	After  []operation.Key `json:"after"`
}

// Digest hashes a plan's bytes.
func Digest(data []byte) canon.Digest { return canon.SumIn(digestDomain, data) }

// Encode writes a plan's stored form. The plan must be complete: what Decode
// would refuse, Encode refuses.
func Encode(p *plan.Plan) ([]byte, canon.Digest, error) {
	frame, err := frameOf(p)
	if err != nil {
		return nil, canon.Digest{}, inexact(err)
	}
	small, err := canon.Encode(frame)
	if err != nil {
		return nil, canon.Digest{}, inexact(err)
	}
	data, err := canon.Encode(filled(frame, p))
	if err != nil {
		return nil, canon.Digest{}, inexact(err)
	}
	if err := readable(small, p); err != nil {
		return nil, canon.Digest{}, fault.Wrap(err, fault.Internal, "a plan was worked out that could not be read back")
	}
	return data, Digest(data), nil
}

func inexact(err error) error {
	return fault.Wrap(err, fault.Usage, "the plan holds a value that cannot be stored exactly: %v", err)
}

// written is the stored form of a plan.
func written(p *plan.Plan) ([]byte, error) {
	frame, err := frameOf(p)
	if err != nil {
		return nil, err
	}
	return canon.Encode(filled(frame, p))
}

// frameOf is the form of a plan without its objects. Those are canonical values already,
// and by far the most of a plan, so that they are put into the form as they are.
func frameOf(p *plan.Plan) (map[string]any, error) {
	f := formOf(p)
	for i := range f.Operations {
		f.Operations[i].Before, f.Operations[i].Expect, f.Operations[i].Wire.Body = nil, nil, nil
	}
	v, err := canon.Value(f)
	frame, _ := v.(map[string]any)
	return frame, err
}

// filled is the frame with the objects in it.
func filled(frame map[string]any, p *plan.Plan) map[string]any {
	list, _ := frame["operations"].([]any)
	for i, op := range p.Operations {
		o, _ := list[i].(map[string]any)
		request, _ := o["wire"].(map[string]any)
		put(o, "before", op.Before)
		put(o, "expect", op.Expect)
		put(request, "body", op.Wire.Body)
	}
	return frame
}

// readable reads the frame of a plan back and checks what it says with the objects.
func readable(frame []byte, p *plan.Plan) error {
	var f file
	if err := read(frame, &f); err != nil {
		return err
	}
	for i, op := range p.Operations {
		o := &f.Operations[i]
		o.Before, o.Expect, o.Wire.Body = op.Before, op.Expect, op.Wire.Body
	}
	_, err := f.plan()
	return err
}

// put sets a member; that of a missing object stays null.
func put(into map[string]any, name string, object map[string]any) {
	if object != nil {
		into[name] = object
	}
}

func formOf(p *plan.Plan) file {
	f := file{
		V: Format, ID: p.ID, Kind: p.Kind, CreatedAt: p.CreatedAt.UTC(), Engine: p.Engine, Catalog: p.Catalog,
		Rules: p.Rules, Parent: p.Parent, Device: p.Device, Management: p.Management, Risk: p.Risk,
		Irreversible: orEmpty(p.Irreversible), Operations: make([]fileOperation, 0, len(p.Operations)),
	}
	f.Risk.Reasons = orEmpty(f.Risk.Reasons)
	for _, op := range p.Operations {
		f.Operations = append(f.Operations, toFile(op))
	}
	return f
}

func toFile(op plan.Operation) fileOperation {
	f := fileOperation{
		Index: op.Index, Op: op.Op, Source: op.Source, Resource: op.Resource, VDOM: op.VDOM, Key: op.Key, Wire: op.Wire,
		Pre: op.Pre, Before: op.Before, Expect: op.Expect, Lost: orEmpty(op.Lost), Users: op.Users, Tier: op.Tier, Rules: orEmpty(op.Rules), Secrets: orEmpty(op.Secrets),
	}
	if op.Order != nil {
		f.Order = &fileOrder{
			Where: op.Order.Position.Where(), Anchor: op.Order.Position.Anchor,
			Before: orEmpty(op.Order.Before), After: orEmpty(op.Order.After),
		}
	}
	return f
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Decode reads and checks a stored plan. Bytes that do not have the digest, or
// are not the one encoding of a sound plan, are tampered_plan; a version that
// this program does not know is config.
func Decode(data []byte, digest canon.Digest) (*plan.Plan, error) {
	if digest.IsZero() || Digest(data) != digest {
		return nil, fault.New(fault.TamperedPlan, "the stored plan does not have the digest it was planned with; make a new plan")
	}
	return decode(data)
}

// decode reads a plan and writes it again: bytes that are not exactly what comes out are
// not in the one form of a plan, whatever they are. That takes in duplicate, missing,
// unknown and differently spelled keys, blanks, other spellings of values, and text that
// is not valid.
func decode(data []byte) (*plan.Plan, error) {
	p, err := sound(data)
	if err != nil {
		return nil, err
	}
	if again, err := written(p); err != nil || !bytes.Equal(again, data) {
		return nil, fault.New(fault.TamperedPlan, "the stored plan is not in the one form in which it is written; make a new plan")
	}
	return p, nil
}

// sound reads a plan and checks what it says; its form is not looked at.
func sound(data []byte) (*plan.Plan, error) {
	var f file
	if err := read(data, &f); err != nil || f.V != Format {
		if err := checkVersion(data); err != nil {
			return nil, err
		}
		return nil, fault.Wrap(err, fault.TamperedPlan, "the stored plan is not in the form in which plans are written; make a new plan")
	}
	p, err := f.plan()
	if err != nil {
		return nil, fault.Wrap(err, fault.TamperedPlan, "the stored plan contradicts itself (%v); make a new plan", err)
	}
	return p, nil
}

func read(data []byte, f *file) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(f)
}

func checkVersion(data []byte) error {
	v, err := canon.Decode(data)
	if err != nil {
		return fault.Wrap(err, fault.TamperedPlan, "the stored plan is not valid JSON; make a new plan")
	}
	object, ok := v.(map[string]any)
	if !ok {
		return fault.New(fault.TamperedPlan, "the stored plan is not an object; make a new plan")
	}
	if version, ok := object["v"].(int64); !ok || version != Format {
		return fault.New(fault.Config, "the stored plan has format %v, this program knows %d; use the program that made it, or make a new plan", object["v"], Format)
	}
	return nil
}
