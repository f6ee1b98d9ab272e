import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appSegments } from '../src/http/web-pages.ts'
import { modules } from '../src/modules/index.ts'
import { linkable } from '../src/modules/knowledge/access.ts'
import { Catalogue } from '../src/operations/catalogue.ts'
import { allResources } from '../src/records/resource.ts'
import { itemPaths } from '../src/records/item-paths.ts'
import { addresses } from '../src/web/pages/items/registry.ts'
import { isLinkable } from '../src/web/pages/items/links/linkable.ts'
import { itemTypeOf, itemPathOf } from '../src/web/ui/kinds.ts'

// Tests that the `url` of each item that operations return leads to a page of the web app.

const catalogue = new Catalogue(modules)

const isLike = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path)

test('the server serves the app at every item address', () => {
  const segments = appSegments()
  for (const { type, path } of itemPaths().filter((item) => !item.path.startsWith('/p/')))
    assert.ok(segments.has(path.split('/')[1]!), `${type}: ${path}`)
  assert.ok(!segments.has('p') && segments.has('sign-in') && segments.has('postmortems'))
})

test('every item address not shown by another area has a page', () => {
  const paths = itemPaths().map(({ path }) => path)
  assert.ok(paths.includes('/tasks/$id') && paths.includes('/channels/$of/$id'))
  for (const { type, path } of itemPaths())
    assert.ok(
      /^\/((settings|activity|p)\/|approvals$)/.test(path) ||
        addresses.some((address) => isLike(address.path, path)),
      `${type}: ${path}`,
    )
})

test('every custom view and every list below an item belongs to an existing address', () => {
  const generic = addresses.filter(({ view }) => view === 'Generic')
  assert.ok(generic.length > 20 && addresses.length - generic.length === 27)
  assert.equal(addresses.filter(({ below }) => below).length, 4)
  assert.equal(new Set(addresses.map((address) => address.path)).size, addresses.length)
})

test('a list below an item is a read that accepts the given arguments', () => {
  for (const { path, below } of addresses) {
    if (!below) continue
    const entry = catalogue.requireEntry(below.operation)
    assert.equal(entry.operation.kind, 'read', path)
    const args = below.args('x_1', { today: '2026-11-25', in30Days: '2026-12-25' })
    for (const name of Object.keys(args))
      assert.ok(entry.schemas.names.includes(name), `${path}: ${below.operation} takes no ${name}`)
  }
})

test('the kind of every item is recognized by its id', () => {
  for (const { definition } of allResources())
    assert.equal(itemTypeOf(`${definition.prefix}_0`), definition.type)
})

test('the app offers links for exactly the item kinds that link_items accepts', () => {
  for (const { definition } of allResources())
    assert.equal(
      isLinkable(`${definition.prefix}_0`),
      linkable.has(definition.type),
      definition.type,
    )
})

test('the target of a reference without an address has a page', () => {
  assert.equal(itemPathOf('eml_0'), '/mail/eml_0')
  assert.equal(itemPathOf('msg_0'), undefined)
  assert.equal(itemPathOf('cmt_0'), undefined)
  const settings = /^\/(settings|activity)\//
  for (const { definition } of allResources()) {
    const path = itemPathOf(`${definition.prefix}_0`)
    if (path !== undefined && !settings.test(path))
      assert.ok(
        addresses.some((address) => isLike(address.path, path)),
        path,
      )
  }
})
