package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// Health is how a check ended.
type Health string

// The ends of a check.
const (
	Good    Health = "good"
	Warning Health = "warning"
	Bad     Health = "bad"
)

// Finding is what one check found.
type Finding struct {
	Check string `json:"check"`
	// Profile is the one that was checked; "" for what all share.
	Profile string `json:"profile,omitempty"`
	Status  Health `json:"status"`
	Text    string `json:"text"`
	// Remedy says what to do, where something is to be done.
	Remedy string `json:"remedy,omitempty"`
	// Code is that of the failure that a bad finding is.
	Code fault.Code `json:"code,omitempty"`
	// path is the file that it is about, "" where it is about none.
	path string
}

// Diagnose checks configuration, state, audit log and clock, and for one profile, or
// for all where name is "", whether its device can be reached, trusts the token and is
// one that the catalog describes. It changes nothing and never fails as a whole.
func (e *Engine) Diagnose(ctx context.Context, name string) []Finding {
	files := e.diagnoseFiles(ctx)
	found := append([]Finding{}, files...)
	found = append(found, untold(e.diagnoseState(ctx), files)...)
	profiles, _, err := e.profiles(ctx)
	if err == nil && name != "" {
		profiles = make([]profile.Profile, 1)
		profiles[0], err = e.profile(ctx, name)
	}
	if err == nil && len(profiles) == 0 {
		err = fault.New(fault.Config, "no profile is configured")
	}
	if err != nil {
		f := failed("configuration", "", err, "mend config.json, or make a profile: forti configure"+e.options.CommandSuffix)
		return append(found, untold([]Finding{f}, files)...)
	}
	var names []string
	var devices []Finding
	for _, p := range profiles {
		names = append(names, p.Name)
		devices = append(devices, e.diagnoseDevice(ctx, p)...)
	}
	found = append(found, Finding{Check: "configuration", Status: Good, Text: "profiles: " + strings.Join(names, ", ")})
	return append(found, devices...)
}

// failed is the finding of a failure. Where the failure names a command that mends it,
// that is the remedy; where it has its remedy in its own words there is no other one.
func failed(check, name string, err error, remedy string) Finding {
	f := fault.From(err)
	path, _ := f.Details["path"].(string)
	found := Finding{Check: check, Profile: name, Status: Bad, Text: f.Message, Remedy: remedy, Code: f.Code, path: path}
	if command, _ := f.Details["command"].(string); command != "" {
		found.Text, found.Remedy = strings.TrimSuffix(f.Message, "; run: "+command), command
	}
	return found
}

// diagnoseFiles finds every file and directory that is refused as it is.
func (e *Engine) diagnoseFiles(ctx context.Context) []Finding {
	store, ok := e.ports.Plans.(port.Inspector)
	if !ok {
		return nil
	}
	var found []Finding
	for _, err := range store.Inspect(ctx) {
		found = append(found, failed("files", "", err, ""))
	}
	return found
}

// untold leaves out the failures that are one of those told already: what stops at a
// file that is refused says nothing new.
func untold(found, told []Finding) []Finding {
	return slices.DeleteFunc(found, func(f Finding) bool {
		return f.Status == Bad && f.path != "" && slices.ContainsFunc(told, func(t Finding) bool { return t.path == f.path })
	})
}

// diagnoseState checks what is stored.
func (e *Engine) diagnoseState(ctx context.Context) []Finding {
	report, err := e.VerifyAudit(ctx)
	if err != nil {
		return []Finding{failed("state", "", err, "")}
	}
	if report.Head == nil && !report.Broken() {
		return []Finding{{Check: "state", Status: Good, Text: "nothing is stored yet"}}
	}
	log := Finding{Check: "audit log", Status: Good, Text: fmt.Sprintf("%d records, the chain holds", report.Records)}
	switch {
	case report.Broken():
		log = failed("audit log", "", Broken(report), "forti audit verify"+e.options.CommandSuffix+" says more; to go on after you looked into it: forti audit repair"+e.options.CommandSuffix)
	case len(report.Incomplete) > 0:
		log.Status, log.Text = Warning, strings.Join(report.Incomplete, "; ")
		log.Remedy = "forti plan show tells more of a plan; the next apply completes what is open"
	}
	return []Finding{e.writable(ctx), log, e.diagnoseClock(ctx)}
}

// mendState says what to do about a state directory that takes no data.
func (e *Engine) mendState() string {
	return "make room on its disk and check its modes: forti doctor" + e.options.CommandSuffix
}

// errTried ends the trial of a write: nothing of it is kept.
var errTried = errors.New("this was a trial")

// writable tries whether the state takes data, without keeping any.
func (e *Engine) writable(ctx context.Context) Finding {
	_, err := e.ports.Backups.Save(ctx, plan.NewID(e.ports.Clock.Now(), [plan.RandomBytes]byte{}), func(w io.Writer) error {
		if _, err := w.Write(make([]byte, trialBytes)); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		return Finding{Check: "state", Status: Good, Text: "it can be read and written"}
	}
	return failed("state", "", err, "nothing can be planned, approved or applied until the state directory can be written")
}

// trialBytes is about what the records of an apply take.
const trialBytes = 64 << 10

// diagnoseClock compares the clock with the newest time on record.
func (e *Engine) diagnoseClock(ctx context.Context) Finding {
	log, err := e.readLog(ctx)
	if err != nil {
		return failed("clock", "", err, "")
	}
	if behind := log.newest.Sub(e.ports.Clock.Now()); behind > approval.Skew {
		f := fault.New(fault.Config, "the clock is %s behind the newest record of the audit log", behind.Round(time.Second))
		return failed("clock", "", f, "set the clock; until then every approval counts as expired")
	}
	return Finding{Check: "clock", Status: Good, Text: "it is not behind what is on record"}
}

// diagnoseDevice checks one profile's device.
func (e *Engine) diagnoseDevice(ctx context.Context, p profile.Profile) []Finding {
	s, err := e.connect(ctx, p, "")
	if err != nil {
		return []Finding{failed("device", p.Name, err, e.remedy(p, fault.CodeOf(err)))}
	}
	defer s.close()
	id := s.identity
	found := []Finding{
		{Check: "device", Profile: p.Name, Status: Good, Text: fmt.Sprintf("%s %s %s build %d answers and takes the token", id.Serial, id.Model, id.Version, id.Build)},
		s.diagnoseRelease(),
	}
	found = append(found, s.diagnoseRights(ctx), s.diagnoseSave(ctx))
	if p.APIUser != "" && p.Mode != profile.ReadOnly {
		found = append(found, s.diagnoseWriting(ctx)...)
	}
	return found
}

// remedy is what to do about a device that could not be asked who it is. What a failure
// says itself is not said again.
func (e *Engine) remedy(p profile.Profile, code fault.Code) string {
	again := "forti configure " + p.Name + e.options.CommandSuffix
	return map[fault.Code]string{
		fault.Auth:              "make a new token for the REST API administrator on the device, allow this machine in its trusted hosts, and name the token: " + again,
		fault.PermissionDenied:  "give the REST API administrator's profile read access to System, and its VDOMs",
		fault.NotFortiOS:        "another service answers at this address; correct it: " + again + " --host HOST --port PORT",
		fault.DeviceUnreachable: "allow HTTPS administration for this machine on the device's interface, or correct the address: " + again + " --host HOST --port PORT",
	}[code]
}

// diagnoseRelease compares the device's release with the catalog.
func (s *session) diagnoseRelease() Finding {
	f := Finding{Check: "release", Profile: s.profile.Name, Status: Good}
	var compared string
	compared, f.Text = compareReleases(s.release, s.engine.ports.Catalog.Info().Newest)
	if compared == "device_newer" || compared == "unknown" {
		f.Status, f.Remedy = Warning, "a newer version of this program may know this release"
	}
	return f
}

// diagnoseRights tries what planning reads most.
func (s *session) diagnoseRights(ctx context.Context) Finding {
	f := Finding{Check: "permissions", Profile: s.profile.Name, Status: Good, Text: "the token may read firewall and system configuration"}
	var denied []string
	for _, path := range []string{"firewall/policy", "firewall/address", "system/interface", "system/global"} {
		r, err := s.engine.ports.Catalog.Resource(path, s.release)
		if err != nil {
			continue // a release without it needs no right to it
		}
		at := port.Location{Resource: path, VDOM: s.vdomFor(r)}
		if r.Key == "" {
			_, err = s.device.Object(ctx, at, operation.Key{})
		} else {
			_, err = s.device.List(ctx, port.ListQuery{At: at, Fields: []string{r.Key}, Count: 1}, func(map[string]any) bool { return false })
		}
		switch fault.CodeOf(err) {
		case "", fault.NotFound:
		case fault.PermissionDenied:
			denied = append(denied, path)
		default:
			return failed(f.Check, f.Profile, err, "")
		}
	}
	if len(denied) > 0 {
		f.Status, f.Text = Warning, "the token may not read "+strings.Join(denied, ", ")
		f.Remedy = "extend the access profile of the REST API administrator where changes there are wanted"
	}
	return f
}

// diagnoseWriting looks up what the API user's access profile lets it write; nothing
// where the token may not see that.
func (s *session) diagnoseWriting(ctx context.Context) []Finding {
	f := Finding{Check: "write access", Profile: s.profile.Name, Status: Good}
	user, err := s.device.Object(ctx, port.Location{Resource: "system/api-user"}, operation.TextKey(s.profile.APIUser))
	if fault.CodeOf(err) == fault.NotFound {
		f.Status, f.Text = Warning, fmt.Sprintf("the device has no API user %q, which the profile names as its own", redact.Line(s.profile.APIUser, 64))
		f.Remedy = "correct api_user in the profile"
		return []Finding{f}
	}
	name := text(user["accprofile"])
	if err != nil || name == "" {
		return nil
	}
	rights, err := s.device.Object(ctx, port.Location{Resource: "system/accprofile"}, operation.TextKey(name))
	if err != nil {
		return nil
	}
	var lacks []string
	for _, group := range []string{"fwgrp", "netgrp", "sysgrp"} {
		if right := text(rights[group]); right == "none" || right == "read" {
			lacks = append(lacks, group+" "+right)
		}
	}
	f.Text = fmt.Sprintf("access profile %s", redact.Line(name, 64))
	if len(lacks) > 0 {
		f.Status, f.Text = Warning, f.Text+" may not write: "+strings.Join(lacks, ", ")
		f.Remedy = "extend it on the device where changes there are wanted"
	}
	return []Finding{f}
}

// diagnoseSave says whether changes last.
func (s *session) diagnoseSave(ctx context.Context) Finding {
	f := Finding{Check: "cfg-save", Profile: s.profile.Name, Status: Good, Text: "changes are saved as they are made"}
	save, err := s.save(ctx)
	if err != nil {
		return failed(f.Check, f.Profile, err, "")
	}
	switch save {
	case "automatic":
	case "":
		f.Status, f.Text = Warning, "the token may not see whether the device saves changes by itself"
	default:
		f.Status, f.Text = Warning, fmt.Sprintf("the device runs with cfg-save %q: changes are lost at a reboot, or undone, unless they are saved on the device", save)
		f.Remedy = "save on the device after each apply, or set cfg-save to automatic"
	}
	return f
}
