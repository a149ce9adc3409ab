package main

import (
	"fmt"
	"syscall/js"

	"sharedbatches/core/part/ask"
)

func main() {
	var data ask.Data
	object := map[string]any{
		"rows": call(1, func(args []string) any { return string(data.Rows([]byte(args[0]))) }),
		"bytes": call(1, func(args []string) any {
			file, err := data.Bytes([]byte(args[0]))
			if err != nil {
				return string(ask.Failure(err))
			}
			array := js.Global().Get("Uint8Array").New(len(file))
			js.CopyBytesToJS(array, file)
			return array
		}),
		"parseScenario": call(2, func(args []string) any { return string(data.Parse(args[0], []byte(args[1]))) }),
	}
	js.Global().Set("sharedBatchesData", object)
	if ready := js.Global().Get("sharedBatchesDataReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	select {}
}

// call wraps a function of n strings. A panic would end the program and with it
// every later question, so it becomes an error here, at the boundary.
func call(n int, f func(args []string) any) js.Func {
	return js.FuncOf(func(_ js.Value, values []js.Value) (result any) {
		defer func() {
			if r := recover(); r != nil {
				result = string(ask.Failure(fmt.Errorf("panic: %v", r)))
			}
		}()
		if len(values) != n {
			return string(ask.Failure(fmt.Errorf("call: %d arguments: %d strings are asked for", len(values), n)))
		}
		args := make([]string, n)
		for i, v := range values {
			if v.Type() != js.TypeString {
				return string(ask.Failure(fmt.Errorf("call: argument %d is no string", i+1)))
			}
			args[i] = v.String()
		}
		return f(args)
	})
}
