import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { modules } from '../src/modules/index.ts'
import { Catalogue } from '../src/operations/catalogue.ts'

// Each operation is available in the web app, or docs/using-the-app.md says why not.

const web = new URL('../src/web/', import.meta.url)
/** Texts contain no operation names, and the generated client contains all. */
const isSource = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test\.ts$|^texts\/|^api\/operations\.ts$/.test(path)
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter(isSource)
  .map((path) => readFileSync(new URL(path, web), 'utf8'))
  .join('\n')

test('every operation is called by the app, or listed among those without a screen', () => {
  const page = readFileSync(new URL('../docs/using-the-app.md', import.meta.url), 'utf8')
  const lists = page.slice(page.indexOf('## What people need no screen for'))
  const listed = [...lists.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name as string)
  assert.equal(new Set(listed).size, listed.length, 'one is listed twice')
  const without = new Catalogue(modules).entries
    .map(({ operation }) => operation.name)
    .filter((name) => !new RegExp(`['"\`]${name}['"\`]`).test(sources))
  assert.deepEqual(listed.toSorted(), without.toSorted())
})
