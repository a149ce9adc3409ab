package main

import (
	_ "embed"
	"fmt"
	"os"
)

//go:embed template.yaml
var template string

type newCmd struct {
	File string `arg:"" help:"The file to write; it must not exist."`
}

func (n *newCmd) Run(c *console) error {
	f, err := os.OpenFile(n.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		return fmt.Errorf("%s: it exists already: give a new name", n.File)
	}
	if err != nil {
		return err
	}
	if _, err := f.WriteString(template); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: written; try: classroom check %s\n", n.File, n.File)
	return nil
}
