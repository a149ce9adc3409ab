//go:build !js

package main

import (
	"io/fs"
	"strings"
)

// without is a file system that lacks one file, in all its forms.
type without struct {
	fs.FS
	name string
}

func (w without) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, w.name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return w.FS.Open(name)
}
