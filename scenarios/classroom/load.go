package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/yamlfile"
	"sharedbatches/scenarios"
)

// load reads a scenario by file name, or by the id of a built-in one.
func load(name string) (*scenario.Scenario, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(scenarios.IDs, name) {
		return scenarios.Load(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file, and no built-in scenario of that name: those are %s", name, strings.Join(scenarios.IDs, ", "))
	}
	if err != nil {
		return nil, err
	}
	return yamlfile.Decode(name, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), text)
}

// files lists the scenario files under paths: files as they are, folders with all
// their .yaml files.
func files(paths []string) ([]string, error) {
	var list []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			if slices.Contains(scenarios.IDs, p) {
				list = append(list, p)
				continue
			}
			return nil, fmt.Errorf("%s: no such file or folder", p)
		}
		if !info.IsDir() {
			list = append(list, p)
			continue
		}
		n := len(list)
		err = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")) {
				list = append(list, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(list) == n {
			return nil, fmt.Errorf("%s: no .yaml file in this folder", p)
		}
	}
	return list, nil
}

// rules changes switches of a set-up, such as probe=upgrade or mode=barrier. A probe
// leaves one world.
func rules(s *scenario.Scenario, given []string) error {
	for _, g := range given {
		key, value, ok := strings.Cut(g, "=")
		if !ok {
			return fmt.Errorf("rule %q: a rule is key=value, such as mode=barrier", g)
		}
		if err := s.Change(key, value); err != nil {
			return err
		}
	}
	return nil
}
