// Another implementation of Arrow reads what core/part writes: the npm package
// apache-arrow opens every object of every scenario and finds the same columns,
// types, nulls and rows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DataType, tableFromIPC } from 'apache-arrow';

export const isType = {
  string: DataType.isUtf8,
  int64: (t) => DataType.isInt(t) && t.bitWidth === 64 && t.isSigned,
  bool: DataType.isBool,
};

// holds compares one file with what it must hold.
export function holds(file, { columns, rows }) {
  const table = tableFromIPC(file);
  assert.equal(table.batches.length, 1);
  assert.equal(table.numRows, rows.length);
  assert.deepEqual(table.schema.fields.map((f) => [f.name, f.nullable]),
    [['key', false], ['val', true], ['time', false], ['diff', false]]);
  const [key, val, time, diff] = table.schema.fields.map((f) => f.type);
  assert.ok(DataType.isStruct(key), `key is ${key}`);
  assert.ok(DataType.isNull(val), `val is ${val}`);
  assert.ok(isType.int64(time) && isType.int64(diff), `time is ${time}, diff ${diff}`);
  assert.deepEqual(key.children.map((f) => [f.name, f.nullable]), columns.map((c) => [c.name, c.nullable]));
  key.children.forEach((f, i) => assert.ok(isType[columns[i].type](f.type), `${f.name} is ${f.type}`));

  const column = table.getChild('key');
  assert.equal(column.nullCount, 0);
  const children = columns.map((c) => column.getChild(c.name));
  const last = [table.getChild('time'), table.getChild('diff')];
  columns.forEach((c, i) => assert.equal(children[i].nullCount, rows.filter((r) => r[i] === null).length, `nulls of ${c.name}`));
  const cells = [...children, ...last];
  rows.forEach((row, k) => {
    assert.equal(table.getChild('val').get(k), null);
    const got = cells.map((c) => (c.get(k) === null ? null : String(c.get(k))));
    assert.deepEqual(got, row, `row ${k}`);
  });
}

let dir;
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'nodetest-'));
  execFileSync('go', ['run', '-tags', 'arrow_json_stdlib', '.', dir], { cwd: import.meta.dirname, stdio: 'inherit' });
});
after(() => rmSync(dir, { recursive: true, force: true }));

test('apache-arrow reads every file', () => {
  const list = JSON.parse(readFileSync(join(dir, 'expect.json'), 'utf8'));
  assert.ok(list.filter((e) => e.file.startsWith('sweep-')).length >= 5, 'the sweep has 3 objects in one world and 2 in the other');
  assert.ok(list.filter((e) => e.file.startsWith('random-')).length === 60);
  for (const e of list) {
    try {
      holds(readFileSync(join(dir, e.file)), e);
    } catch (error) {
      error.message = `${e.file}: ${error.message}`;
      throw error;
    }
  }
});

test('a difference is found', () => {
  const [e] = JSON.parse(readFileSync(join(dir, 'expect.json'), 'utf8'));
  const file = readFileSync(join(dir, e.file));
  const changed = structuredClone(e);
  changed.rows[3][1] = '99';
  assert.throws(() => holds(file, changed), /row 3/);
});
