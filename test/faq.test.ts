import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every message in the FAQ is one that the program prints', () => {
  const sources = globSync(['src/**/*.ts', 'tools/node.mjs', 'bin/workspace'], {
    cwd: root,
    exclude: ['src/**/*.test.ts', 'src/web/**', 'src/testing/**'],
  })
  const sourceText = sources
    .map((file) =>
      readFileSync(join(root, file), 'utf8').replace(/\$\{(?:[^{}`]|`[^`]*`|\{[^}]*\})*\}/g, '…'),
    )
    .join('\n')
  const messages = [
    ...readFileSync(join(root, 'docs/faq.md'), 'utf8').matchAll(/^### `(.+)`$/gm),
  ].map((match) => match[1]!)
  assert.ok(messages.length > 20)
  const parts = messages.flatMap((message) =>
    message
      .split('…')
      .map((part) => part.trim())
      .filter((name) => /\w/.test(name))
      .map((part) => ({ message, part })),
  )
  assert.deepEqual(
    parts
      .filter(({ part }) => !sourceText.includes(part))
      .map(({ message, part }) => `${message}: ${part}`),
    [],
  )
})
