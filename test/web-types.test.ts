import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operationTypes } from '../tools/operation-types.ts'
import { modules } from '../src/modules/index.ts'

test('the web app knows the operations as they are', () => {
  assert.equal(
    readFileSync(new URL('../src/web/api/operations.ts', import.meta.url), 'utf8'),
    operationTypes(modules),
    'npm run web-types writes it',
  )
})
