package fortios

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const (
	backupPath   = "/api/v2/monitor/system/config/backup"
	backupPrefix = "#config-version="
)

// Backup writes the device's configuration, global scope, to w and returns the
// number of bytes. It is full of secrets. version is the device's release such
// as "v7.4.8": from 7.0 on (and where version is unknown or empty) the endpoint
// is asked by POST, below by GET, and where the device answers 405, once by the
// other. limit bounds the bytes; 0 means 64 MiB.
//
// What arrives must be text that begins with "#config-version="; a page or JSON
// is an error before anything is written. With any other error what w has
// received is incomplete and must be discarded.
func (c *Client) Backup(ctx context.Context, version string, w io.Writer, limit int64) (int64, error) {
	if limit <= 0 {
		limit = 64 << 20
	}
	post := Request{Method: http.MethodPost, Path: backupPath, Body: []byte(`{"destination":"file","scope":"global"}`)}
	get := Request{Method: http.MethodGet, Path: backupPath, Query: [][2]string{{"destination", "file"}, {"scope", "global"}}}
	first, second := post, get
	if before7(version) {
		first, second = get, post
	}
	n, err := c.download(ctx, first, w, limit)
	if KindOf(err) == KindMethodNotAllowed {
		n, err = c.download(ctx, second, w, limit)
	}
	return n, err
}

func before7(version string) bool {
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, err := strconv.Atoi(major)
	return err == nil && n < 7
}

func (c *Client) download(ctx context.Context, req Request, w io.Writer, limit int64) (int64, error) {
	x := c.open(ctx, req)
	defer x.close()
	if x.Err != nil || x.Status != http.StatusOK || x.IsHTML() || isJSON(x.ContentType) {
		x.readAll(c.maxBody)
		return 0, c.notABackup(x)
	}
	in := bufio.NewReader(x)
	if head, _ := in.Peek(len(backupPrefix)); string(head) != backupPrefix { // An error of Peek stands in x.Err.
		x.Body, _ = io.ReadAll(io.LimitReader(in, c.maxBody))
		return 0, c.notABackup(x)
	}
	n, err := io.Copy(w, io.LimitReader(in, limit))
	if x.Err != nil {
		return n, c.named(x.op, x.Err)
	}
	if err != nil {
		return n, fmt.Errorf("fortios: the backup cannot be written: %w", err)
	}
	if _, err := in.Peek(1); !errors.Is(err, io.EOF) {
		x.BodyComplete = false
		if x.Err == nil {
			x.fail(tooLarge("the backup is larger than %d bytes", limit))
		}
		return n, c.named(x.op, x.Err)
	}
	return n, nil
}

// notABackup explains an answer that is no configuration file.
func (c *Client) notABackup(x *exchange) error {
	_, fault := x.decode()
	if fault == nil {
		fault = notFortiOS("the answer is not a configuration file (it does not begin with %s)", backupPrefix)
	}
	if x.Status == http.StatusMethodNotAllowed && fault.Kind == KindNotFortiOS {
		fault.Kind = KindMethodNotAllowed // The status is enough to try the other method.
	}
	return c.named(x.op, fault)
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == "application/json"
}
