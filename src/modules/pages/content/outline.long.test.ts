import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { byRemark, ours } from './testing.ts'

test('the outline matches the one by remark in every document of the project and its packages', () => {
  const root = join(import.meta.dirname, '../../../..')
  const inPackages = readdirSync(join(root, 'node_modules'), { withFileTypes: true })
    .filter((dirent) => dirent.isDirectory() && !dirent.name.startsWith('@'))
    .map((dirent) => join(root, 'node_modules', dirent.name, 'README.md'))
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name))
  let looked = 0
  for (const file of [...inDocs.slice(0, 40), ...inPackages]) {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      continue // not every package has one of this name
    }
    if (text.length > 40_000 || looked > 150) continue
    looked++
    assert.deepEqual(ours(text), byRemark(text), file)
  }
  assert.ok(looked > 100, `${looked} documents`)
})

test('both agree on unnatural generated texts', () => {
  const pieces = fc.constantFrom(
    '# a',
    '## b\n',
    '---',
    '===',
    'text',
    '\n',
    '\n\n',
    '\r\n',
    '```',
    '~~~',
    '> ',
    '- ',
    '1. ',
    '    ',
    '\t',
    '<div>',
    '<!--',
    '-->',
    '| a |',
    '| - |',
    '**',
    '`',
    '#',
    '# ',
    'x\n---\n',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const text = parts.join('')
      assert.deepEqual(
        ours(text).map((our) => [our[0], our[2]]),
        byRemark(text).map((item) => [item[0], item[2]]),
      )
    }),
    { numRuns: 300, seed: 7 },
  )
})
