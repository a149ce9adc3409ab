package yamlfile

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// placed finds the line of a fault that another package reports by path, such as
// "setup: tasks[1]: parts[0]: at: 2500: allowed is ...". The path is followed into
// the file as far as its words are keys there.
func placed(file string, root *yaml.Node, err error) *Error {
	text := err.Error()
	node, path := root, ""
	for {
		head, rest, ok := strings.Cut(text, ": ")
		if !ok {
			break
		}
		name, index := split(head)
		if name == "tasks" && index >= 0 {
			if next, where := task(node, index); next != nil {
				node, path, text = next, join(path, where), rest
				continue
			}
			break
		}
		next := child(node, name)
		if next == nil {
			break
		}
		if index >= 0 {
			if next.Kind != yaml.SequenceNode || index >= len(next.Content) {
				break
			}
			next = next.Content[index]
		}
		node, path, text = next, join(path, head), rest
	}
	return &Error{file, node.Line, node.Column, path, text}
}

var indexed = regexp.MustCompile(`^([a-z_]+)\[(\d+)\]$`)

func split(head string) (name string, index int) {
	if m := indexed.FindStringSubmatch(head); m != nil {
		n, err := strconv.Atoi(m[2])
		if err == nil {
			return m[1], n
		}
	}
	return head, -1
}

func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// task finds the n-th write task in the order of workers.
func task(setup *yaml.Node, n int) (*yaml.Node, string) {
	workers := child(setup, "workers")
	if workers == nil {
		return nil, ""
	}
	for w, worker := range workers.Content {
		writes := child(worker, "writes")
		if writes == nil {
			return nil, ""
		}
		if n < len(writes.Content) {
			return writes.Content[n], "workers[" + strconv.Itoa(w) + "].writes[" + strconv.Itoa(n) + "]"
		}
		n -= len(writes.Content)
	}
	return nil, ""
}
