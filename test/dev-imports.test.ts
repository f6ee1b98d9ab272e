import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addImports, independentOf, type Imports } from '../tools/dev-imports.ts'

const imports: Imports = new Map()
addImports(imports, [
  ['main', 'errors'],
  ['main', 'tasks'],
  ['tasks', 'labels'],
  ['tasks', 'errors'],
  ['labels', 'errors'],
  ['main', 'mail'],
  ['mail', 'circular'],
  ['circular', 'mail'],
])

test('what does not import the changing module, not even by others, is loaded in the order of its evaluation', () => {
  assert.deepEqual(
    independentOf(imports, (url) => url === 'labels'),
    ['errors', 'circular', 'mail'],
  )
  assert.deepEqual(
    independentOf(imports, (url) => url === 'errors'),
    ['circular', 'mail'],
  )
})

test('where nothing changes, everything is loaded', () => {
  assert.deepEqual(
    independentOf(imports, () => false),
    ['errors', 'labels', 'tasks', 'circular', 'mail', 'main'],
  )
})
