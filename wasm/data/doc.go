// Command data is data.wasm: the Arrow bytes behind parts and blobs, reads over them,
// and scenario files in YAML. It is loaded when a learner first opens one of these.
// It decides nothing: every answer is made by the package ask, which documents
// requests and answers.
//
// It puts one object on the global scope and then calls, where there is one, the
// function sharedBatchesDataReady without arguments:
//
//	sharedBatchesData.rows(request: string): string
//	sharedBatchesData.bytes(request: string): Uint8Array | string
//	sharedBatchesData.parseScenario(file: string, yaml: string): string
//
// Requests and strings that come back are JSON. A string from bytes is an error,
// {"error": "place: what: why"}. All three are synchronous and never throw; a panic
// in Go is an error that begins with "panic: ", and the program answers on.
package main
