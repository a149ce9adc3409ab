package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sharedbatches/core/part"
	"sharedbatches/core/part/row"
)

// blobsOf runs the command and reads what it wrote.
func blobsOf(t *testing.T, args ...string) (index []blobEntry, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "new", "folder")
	var out, errs bytes.Buffer
	if code := run(append(append([]string{"blobs"}, args...), "--out", dir), &console{out: &out, err: &errs}); code != exitHolds {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &index); err != nil {
		t.Fatal(err)
	}
	return index, dir
}

func TestBlobs(t *testing.T) {
	index, dir := blobsOf(t, "sweep")
	var got []string
	for _, e := range index {
		got = append(got, e.File+" "+e.Status)
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.File)))
		if err != nil || len(data) != e.Bytes {
			t.Fatalf("%s: %d bytes, want %d: %v", e.File, len(data), e.Bytes, err)
		}
		p, err := part.Decode(part.NewAllocator(), row.View, data)
		if err != nil {
			t.Fatalf("%s: %v", e.File, err)
		}
		if p.Len() != e.Updates || p.Goodbytes() != e.Goodbytes || e.Upper <= e.Lower {
			t.Errorf("%+v: the file has %d updates and %d goodbytes", e, p.Len(), p.Goodbytes())
		}
		p.Release()
	}
	want := "upgrade/sX-wb-p1.arrow referenced; upgrade/sY-wa-p1.arrow leaked; upgrade/sY-wa-p2.arrow referenced; " +
		"strong_count/sX-wb-p1.arrow referenced; strong_count/sY-wa-p1.arrow referenced"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "; "), want)
	}
	fixed, dir := blobsOf(t, "sweep", "--probe", "strong_count")
	if len(fixed) != 2 || fixed[1].Status != "referenced" {
		t.Errorf("%+v", fixed)
	}
	if _, err := os.Stat(filepath.Join(dir, "upgrade")); err == nil {
		t.Error("the other world was written too")
	}
	var out, errs bytes.Buffer
	if code := run([]string{"blobs", "sweep", "--out", t.TempDir(), "--probe", "guess"}, &console{out: &out, err: &errs}); code != exitCannotDo || !strings.Contains(errs.String(), "guess") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
