package fortisim

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// transaction is a set of writes that take effect together (R, D). Its members
// are checked against a copy of the configuration that they change; a commit
// carries them out again on the real one.
type transaction struct {
	id      int
	vdom    string
	owner   string
	until   time.Time
	tables  map[tableKey]*table
	touched map[tableKey]bool
	steps   []*query
	lines   []string
}

// maxTransactions and maxMembers bound what a client can have open.
const (
	maxTransactions = 100
	maxMembers      = 10_000
)

const transactionHeader = "X-TRANSACTION-ID"

// transact answers the actions on /api/v2/cmdb itself. Transactions came with
// 6.4.0, transaction-show with 7.4.1 (D).
func (d *Device) transact(q *query) *reply {
	action, ok := strings.CutPrefix(q.values.Get("action"), "transaction-")
	verb := map[string]string{"start": "POST", "commit": "POST", "abort": "POST", "list": "GET", "show": "GET"}[action]
	late := action == "show" && !atLeast(d.options.Version, 7, 4, 1)
	if !ok || verb != q.method || late || !atLeast(d.options.Version, 6, 4, 0) {
		return d.transactionReply(q, invalidRequest(), nil)
	}
	if q.method == http.MethodPost && !d.rightsOf(q.admin, "").write {
		return forbidden(q)
	}
	d.expireTransactions()
	switch action {
	case "start":
		return d.startTransaction(q)
	case "list":
		return d.transactionReply(q, nil, d.listTransactions())
	}
	t := d.transactions[transactionID(q)]
	if t == nil {
		return d.transactionReply(q, unknownTransaction(), nil)
	}
	switch action {
	case "show":
		return d.transactionReply(q, nil, slices.Clone(t.lines))
	case "commit":
		delete(d.transactions, t.id)
		return d.transactionReply(q, d.commitTransaction(t), nil)
	}
	delete(d.transactions, t.id)
	return d.transactionReply(q, nil, nil)
}

// transactionID is in the query of a GET and in the body of a POST; one client
// writes it with an underscore (C).
func transactionID(q *query) int {
	text := q.values.Get("transaction-id")
	if body, err := decodeObject(q.body); err == nil {
		for _, name := range []string{"transaction-id", "transaction_id"} {
			if raw, given := body.get(name); given {
				text, _ = scalarText(raw)
			}
		}
	}
	return atoi(text)
}

// transactionReply has no path and no name, and revision_changed is false even
// for a commit (R).
func (d *Device) transactionReply(q *query, no *Refusal, results any) *reply {
	r := &reply{status: http.StatusOK}
	r.add("http_method", q.method)
	changes := 0
	for _, t := range d.tables {
		changes += t.changes
	}
	r.add("revision", d.hash("configuration", changes))
	if q.method != http.MethodGet {
		r.add("revision_changed", false)
	}
	if no != nil {
		r.status = no.Status
		r.add("cli_error", d.cliError(no.CLI))
		r.add("error", d.number(no.Number))
	}
	if results != nil {
		r.add("results", results)
	}
	r.add("vdom", q.vdom)
	r.add("action", q.values.Get("action"))
	r.add("status", statusWord(r.status))
	r.add("http_status", r.status)
	d.identity(r)
	return r
}

// startTransaction takes a timeout in seconds, 60 without one (I).
func (d *Device) startTransaction(q *query) *reply {
	timeout := 60
	if body, err := decodeObject(q.body); err == nil {
		if raw, given := body.get("timeout"); given {
			text, _ := scalarText(raw)
			timeout = atoi(text)
		}
	}
	if timeout <= 0 || len(d.transactions) >= maxTransactions {
		return d.transactionReply(q, refused(-651, "value parse error before 'timeout'\n"), nil)
	}
	d.lastTransaction++
	if d.transactions == nil {
		d.transactions = map[int]*transaction{}
	}
	d.transactions[d.lastTransaction] = &transaction{
		id: d.lastTransaction, vdom: q.vdom, owner: q.admin.Name,
		until:  d.options.Now().Add(time.Duration(timeout) * time.Second),
		tables: d.keep().tables, touched: map[tableKey]bool{},
	}
	return d.transactionReply(q, nil, object{{"transaction-id", d.lastTransaction}})
}

// expireTransactions discards those whose time is over (D).
func (d *Device) expireTransactions() {
	for id, t := range d.transactions {
		if !d.options.Now().Before(t.until) {
			delete(d.transactions, id)
		}
	}
}

// listTransactions: the members are not recorded (?).
func (d *Device) listTransactions() []object {
	out := []object{}
	for id := 1; id <= d.lastTransaction; id++ {
		if t := d.transactions[id]; t != nil {
			out = append(out, object{{"transaction-id", id}, {"vdom", t.vdom}, {"owner", t.owner}, {"expires", t.until.Unix()}})
		}
	}
	return out
}

func unknownTransaction() *Refusal { return refused(-3, "transaction not found\n") }

// enroll makes a write a member of its transaction: it is checked at once and
// answered with revision_changed false (R).
func (d *Device) enroll(q *query, p place) *reply {
	d.expireTransactions()
	t := d.transactions[atoi(q.header.Get(transactionHeader))]
	if t == nil || len(t.steps) >= maxMembers {
		return d.refusal(q, p, unknownTransaction())
	}
	k := p.tableKey()
	for _, other := range d.transactions {
		if other != t && other.touched[k] {
			// The number is not known (?).
			return d.refusal(q, p, refused(d.behaviour().LockedTableError, "The table is locked by another transaction.\n"))
		}
	}
	real, vdoms := d.tables, slices.Clone(d.options.VDOMs)
	d.tables = t.tables
	r := d.write(q)
	d.tables, d.options.VDOMs = real, vdoms
	if r.status != http.StatusOK {
		return r
	}
	t.touched[k] = true
	mkey, _ := r.body.get("mkey")
	t.lines = append(t.lines, commandLines(q, mkey)...)
	t.steps = append(t.steps, withKey(q, p, mkey))
	return d.cached(q, p, mkey)
}

// cached is the answer to a member: no old_revision (R).
func (d *Device) cached(q *query, p place, key any) *reply {
	r := d.opening(q)
	r.add("revision", d.revision(p))
	r.add("revision_changed", false)
	return d.closing(r, q, key)
}

// withKey is the request with the key that the device gave, so that a commit
// gives the same.
func withKey(q *query, p place, key any) *query {
	step := *q
	step.body = bytes.Clone(q.body)
	body, err := decodeObject(q.body)
	if q.method == http.MethodPost && q.config.child == "" && err == nil && q.values.Get("action") == "" {
		body.put(p.shape.key, key)
		step.body = appendJSON(nil, body)
	}
	return &step
}

// commitTransaction carries out all members, or none.
func (d *Device) commitTransaction(t *transaction) *Refusal {
	kept := d.keep()
	for _, step := range t.steps {
		r := d.write(step)
		if r.status == http.StatusOK {
			continue
		}
		d.restore(kept)
		number, _ := r.body.get("error")
		n, _ := number.(int)
		return refused(n, "a member of the transaction was refused\n")
	}
	return nil
}

// commandLines are what transaction-show lists: values as they were sent (R).
func commandLines(q *query, key any) []string {
	name := keyText(key)
	if n, ok := key.(int); ok {
		name = strconv.Itoa(n)
	}
	if name == "" {
		name = q.config.key
	}
	lines := []string{" config vdom", " edit " + q.vdom, "  config " + configName(q.config.path)}
	switch action := q.values.Get("action"); {
	case q.method == http.MethodDelete:
		lines = append(lines, "      delete "+quote(name))
	case action != "":
		lines = append(lines, "      "+action+" "+quote(q.config.key)+" "+q.values.Get("before")+q.values.Get("after")+q.values.Get("nkey"))
	default:
		lines = append(lines, "      edit "+quote(name))
		body, _ := decodeObject(q.body) // it was accepted before
		for _, m := range body {
			lines = append(lines, "          set "+m.name+" "+commandWord(m.value))
		}
	}
	return append(lines, "      end", " end")
}

func commandWord(value any) string {
	if list, ok := value.([]any); ok {
		words := make([]string, 0, len(list))
		for _, item := range list {
			if row, ok := item.(object); ok && len(row) > 0 {
				item = row[0].value
			}
			words = append(words, commandWord(item))
		}
		return strings.Join(words, " ")
	}
	if text, ok := value.(string); ok {
		return quote(text)
	}
	text, _ := scalarText(value)
	return text
}
