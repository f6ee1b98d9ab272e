import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTextFile } from './text-file.ts'

test('a file is read in its encoding', async () => {
  const blob = (...bytes: number[]) => new Blob([new Uint8Array(bytes)])
  assert.equal(await readTextFile(new Blob(['Jürgen'])), 'Jürgen')
  assert.equal(await readTextFile(blob(0x4a, 0xfc, 0x72)), 'Jür')
  assert.equal(await readTextFile(blob(0xff, 0xfe, 0x4a, 0x00, 0xfc, 0x00)), 'Jü')
  assert.equal(await readTextFile(blob(0xfe, 0xff, 0x00, 0x4a, 0x00, 0xfc)), 'Jü')
})
