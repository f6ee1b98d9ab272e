import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { remarkHeadings, outlineHeadings } from './testing.ts'

test('the outline matches that of remark in documents of the project and its packages', () => {
  const root = join(import.meta.dirname, '../../../..')
  const packageFiles = readdirSync(join(root, 'node_modules'), { withFileTypes: true })
    .filter((dirent) => dirent.isDirectory() && !dirent.name.startsWith('@'))
    .map((dirent) => join(root, 'node_modules', dirent.name, 'README.md'))
  const docFiles = readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name))
  let checkedCount = 0
  for (const file of [...docFiles.slice(0, 40), ...packageFiles]) {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      continue // not every package has a README.md
    }
    if (text.length > 40_000 || checkedCount > 150) continue
    checkedCount++
    assert.deepEqual(outlineHeadings(text), remarkHeadings(text), file)
  }
  assert.ok(checkedCount > 100, `${checkedCount} documents`)
})

test('the outline matches that of remark in random generated texts', () => {
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
        outlineHeadings(text).map((heading) => [heading[0], heading[2]]),
        remarkHeadings(text).map((item) => [item[0], item[2]]),
      )
    }),
    { numRuns: 300, seed: 7 },
  )
})
