//go:build !js

// Package linkfile keeps short links in one file on this machine. It is a package
// of its own so that the edge, which has no files, does without it.
package linkfile

import (
	"errors"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

var bucketName = []byte("links")

// lockPeriod is how long to wait for another server that has the file open.
const lockPeriod = 500 * time.Millisecond

// batchDelay is how long a transaction waits for others to join it; one for itself
// takes a few milliseconds.
const batchDelay = 2 * time.Millisecond

// ErrTaken says that another program has the file open.
var ErrTaken = errors.New("another server has it open")

// File is an open file of short links; it is a [sharedbatches/web.Links]. A
// transaction is on the disk when it returns, so a link that was answered survives
// the end of the program, however that comes.
type File struct{ db *bbolt.DB }

// Open opens the file, and makes it when there is none. One program at a time can
// have it open.
func Open(name string) (*File, error) {
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{Timeout: lockPeriod})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("links: %s: %w", name, ErrTaken)
	}
	if err != nil {
		return nil, fmt.Errorf("links: %s: cannot be opened: %w", name, err)
	}
	db.MaxBatchDelay = batchDelay
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucketName)
		return err
	})
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("links: %s: cannot be written: %w", name, err)
	}
	return &File{db}, nil
}

// Close ends the use of the file, after the transactions that are under way.
func (f *File) Close() error { return f.db.Close() }

// Get implements web.Links.
func (f *File) Get(id string) (fragment string, err error) {
	err = f.db.View(func(tx *bbolt.Tx) error {
		fragment = string(tx.Bucket(bucketName).Get([]byte(id)))
		return nil
	})
	return fragment, err
}

// Add implements web.Links.
func (f *File) Add(id, fragment string) (held string, err error) {
	// Asking for a link again, which is common, waits for no disk.
	if held, err = f.Get(id); err != nil || held != "" {
		return held, err
	}
	// Requests at the same time share one transaction, and so one wait for the disk.
	err = f.db.Batch(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(bucketName)
		if held = string(bucket.Get([]byte(id))); held != "" {
			return nil // another request was quicker
		}
		held = fragment
		return bucket.Put([]byte(id), []byte(fragment))
	})
	return held, err
}
