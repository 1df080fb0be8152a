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
	var err error
	if parts[sectionIndex], parts[sectionTexts], err = c.index(); err != nil {
		return nil, err
	}
	if parts[sectionTable], parts[sectionBlocks], err = c.blocks(); err != nil {
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

func (c Contents) index() (index, texts []byte, err error) {
	at := 0
	for i, e := range c.Entries {
		if index, err = appendU32(index, len(texts), at, len(c.Records[i])); err != nil {
			return nil, nil, err
		}
		index = append(index, byte(len(e.Path)), byte(len(e.Key)), byte(len(e.Since)), byte(len(e.Until)), e.Kind, 0, 0, 0)
		texts = append(texts, e.Path+e.Key+e.Since+e.Until...)
		at += len(c.Records[i])
	}
	return index, texts, nil
}

func (c Contents) blocks() (table, blocks []byte, err error) {
	start := 0
	for _, block := range cut(c.Records) {
		if table, err = appendU32(table, start, len(blocks)); err != nil {
			return nil, nil, err
		}
		packed, err := deflate(block, c.Dict)
		if err != nil {
			return nil, nil, err
		}
		start, blocks = start+len(block), append(blocks, packed...)
	}
	table, err = appendU32(table, start, len(blocks))
	return table, blocks, err
}

// cut joins whole records to blocks.
func cut(records [][]byte) [][]byte {
	var out [][]byte
	for _, r := range records {
		last := len(out) - 1
		if last < 0 || len(out[last])+len(r) > blockSize {
			out = append(out, nil)
			last++
		}
		out[last] = append(out[last], r...)
	}
	return out
}

func assemble(entries int, parts [sections][]byte, raw [sections]int) ([]byte, error) {
	numbers := []int{format, entries}
	at := headerSize
	for s, part := range parts {
		numbers = append(numbers, at, len(part), raw[s])
		at += len(part)
	}
	out, err := appendU32([]byte(magic), numbers...)
	if err != nil {
		return nil, err
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
