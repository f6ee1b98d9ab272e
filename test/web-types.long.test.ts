import assert from 'node:assert/strict'
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { refreshWebTypes } from '../tools/generated.ts'
import { operationTypes } from '../tools/web-types.ts'
import { modules } from '../src/modules/index.ts'

const path = fileURLToPath(new URL('../src/web/api/operations.ts', import.meta.url))

test('the operation types of the web app are up to date', () => {
  refreshWebTypes()
  assert.equal(readFileSync(path, 'utf8'), operationTypes(modules))
})

test('the types of the web app are regenerated only if a source is newer', () => {
  refreshWebTypes()
  const { mtimeMs } = statSync(path)
  assert.equal(refreshWebTypes(), false)
  assert.equal(statSync(path).mtimeMs, mtimeMs)
  utimesSync(path, 0, 0)
  assert.equal(refreshWebTypes(), true)
  assert.equal(refreshWebTypes(), false)
})
