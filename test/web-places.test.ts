import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Catalogue } from '../src/operations/catalogue.ts'
import { allResources } from '../src/records/resource.ts'
import { modules } from '../src/modules/index.ts'
import { addresses } from '../src/web/pages/items/registry.ts'
import { places } from '../src/web/places.ts'
import { kindOf, pathOf } from '../src/web/ui/kinds.ts'

// What operations answer as `url` of an item leads to a page of the web app.

const catalogue = new Catalogue(modules)

/** The addresses of all items, with a word in place of whatever a row says. */
const patterns = allResources().map((resource) => ({
  type: resource.definition.type,
  path: new URL(
    resource.url(new Proxy({}, { get: (_, name) => `x_${String(name)}` }) as never, 'http://x'),
  ).pathname,
}))

/** Where other areas of the app show items: settings, the activity of assistants, and pages that everybody may read. */
const elsewhere = /^\/((settings|activity|p)\/|approvals$)/

const isLike = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path)

test('every address of an item is one that the server answers with the app', () => {
  for (const { type, path } of patterns.filter((pattern) => !pattern.path.startsWith('/p/')))
    assert.ok(places.includes(path.split('/')[1]!), `${type}: ${path}`)
})

test('every address of an item has a page, and no page stands for nothing', () => {
  const own = patterns.filter((pattern) => !elsewhere.test(pattern.path))
  for (const { type, path } of own)
    assert.ok(
      addresses.some((address) => isLike(address.path, path)),
      `${type}: ${path}`,
    )
  // Addresses that were given out once stay.
  const former = ['/custom-fields/$id', '/postmortems/$id']
  for (const { path } of addresses)
    assert.ok(former.includes(path) || own.some((item) => isLike(path, item.path)), path)
})

test('every address is there once', () => {
  assert.equal(new Set(addresses.map((address) => address.path)).size, addresses.length)
})

test('what reads an item is an operation that takes what it is given', () => {
  for (const { path, reading, below = [] } of addresses) {
    for (const { operation, args } of [...(reading ? [reading] : []), ...below]) {
      const entry = catalogue.demand(operation)
      assert.equal(entry.operation.kind, 'read', path)
      for (const name of Object.keys(args))
        assert.ok(entry.schemas.names.includes(name), `${path}: ${operation} takes no ${name}`)
      const named = Object.values(args).filter(
        (value) => typeof value === 'string' && value.startsWith('$'),
      )
      for (const name of named)
        assert.ok(
          ['$today', '$in30days'].includes(name as string) || path.includes(`/${String(name)}`),
          `${path}: ${String(name)}`,
        )
    }
  }
})

test('the kind of every item is known by its id', () => {
  for (const { definition } of allResources())
    assert.equal(kindOf(`${definition.prefix}_0`), definition.type)
})

test('what a reference without an address leads to has a page', () => {
  for (const { definition } of allResources()) {
    const path = pathOf(`${definition.prefix}_0`)
    if (path !== undefined)
      assert.ok(
        addresses.some((address) => isLike(address.path, path)),
        path,
      )
  }
})
