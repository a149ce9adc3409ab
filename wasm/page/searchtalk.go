package main

import "sharedbatches/wasm/talk"

// The messages, by the names that they have in their package.
type (
	message  = talk.Message
	ask      = talk.Ask
	query    = talk.Query
	progress = talk.Progress
	found    = talk.Found
	failed   = talk.Failed
	ways     = talk.Ways
)

var (
	encode = talk.Encode
	decode = talk.Decode
	digits = talk.Digits
	escape = talk.Escape
)
