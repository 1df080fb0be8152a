package pack

import (
	"bytes"
	"compress/flate"
	"fmt"
)

// Build makes a file. The same contents give the same bytes, as long as the
// compressor of the Go release is the same.
func Build(c Contents) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	var parts [sections][]byte
	var raw [sections]int
	for s, plain := range map[section][]byte{sectionDict: c.Dict, sectionReleases: c.Releases, sectionWords: c.Words} {
		packed, err := deflate(plain, nil)
		if err != nil {
			return nil, err
		}
		parts[s], raw[s] = packed, len(plain)
	}
	if err := c.addEntries(&parts); err != nil {
		return nil, err
	}
	return assemble(len(c.Entries), parts, raw)
}

func (c Contents) check() error {
	if len(c.Entries) != len(c.Records) {
		return fmt.Errorf("catalog file: %d entries, %d records", len(c.Entries), len(c.Records))
	}
	if len(c.Dict) > maxDict {
		return fmt.Errorf("catalog file: the dictionary has %d bytes, at most %d can be used", len(c.Dict), maxDict)
	}
	for i, e := range c.Entries {
		if i > 0 && c.Entries[i-1].Path >= e.Path {
			return fmt.Errorf("catalog file: %q is out of order after %q", e.Path, c.Entries[i-1].Path)
		}
		for _, text := range [...]string{e.Path, e.Key, e.Since, e.Until} {
			if len(text) > 255 {
				return fmt.Errorf("catalog file: %q is longer than 255 bytes", text)
			}
		}
		if len(c.Records[i]) > MaxRecord {
			return fmt.Errorf("catalog file: the record of %q is larger than %d bytes", e.Path, MaxRecord)
		}
	}
	return nil
}

// addEntries fills the index, the texts and the records.
func (c Contents) addEntries(parts *[sections][]byte) error {
	var index, texts, records []byte
	for i, e := range c.Entries {
		packed, err := deflate(c.Records[i], c.Dict)
		if err != nil {
			return err
		}
		for _, n := range [...]int{len(texts), len(records), len(packed), len(c.Records[i])} {
			if index, err = putU32(index, n); err != nil {
				return err
			}
		}
		index = append(index, byte(len(e.Path)), byte(len(e.Key)), byte(len(e.Since)), byte(len(e.Until)), e.Kind, 0, 0, 0)
		texts = append(texts, e.Path+e.Key+e.Since+e.Until...)
		records = append(records, packed...)
	}
	parts[sectionIndex], parts[sectionTexts], parts[sectionRecords] = index, texts, records
	return nil
}

func assemble(entries int, parts [sections][]byte, raw [sections]int) ([]byte, error) {
	numbers := []int{format, entries}
	at := headerSize
	for s, part := range parts {
		numbers = append(numbers, at, len(part), raw[s])
		at += len(part)
	}
	out := []byte(magic)
	var err error
	for _, n := range numbers {
		if out, err = putU32(out, n); err != nil {
			return nil, err
		}
	}
	for _, part := range parts {
		out = append(out, part...)
	}
	return out, nil
}

func deflate(plain, dict []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriterDict(&out, flate.BestCompression, dict)
	if err != nil {
		return nil, fmt.Errorf("catalog file: %w", err)
	}
	if _, err := w.Write(plain); err != nil {
		return nil, fmt.Errorf("catalog file: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("catalog file: %w", err)
	}
	return out.Bytes(), nil
}
