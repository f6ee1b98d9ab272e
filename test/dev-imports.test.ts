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

test('modules that do not import the changing one, even indirectly, are loaded in evaluation order', () => {
  assert.deepEqual(
    independentOf(imports, (url) => url === 'labels'),
    ['errors', 'circular', 'mail'],
  )
  assert.deepEqual(
    independentOf(imports, (url) => url === 'errors'),
    ['circular', 'mail'],
  )
})

test('without a changing module everything is loaded', () => {
  assert.deepEqual(
    independentOf(imports, () => false),
    ['errors', 'labels', 'tasks', 'circular', 'mail', 'main'],
  )
})
