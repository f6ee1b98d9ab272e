import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kernel/ids.ts'
import { serveWorkspace } from '../../testing/server.ts'
import { filterPath, scimClient } from './testing.ts'

const count = 10_000
const maxPageSize = 200

test(`${count} people are listed in bounded pages, each once, and found by name`, async (t) => {
  const served = await serveWorkspace()
  t.after(() => served.close())
  const scim = await scimClient(served, served.ann, { domains: ['dir.test'] })
  const { store } = served.app
  const now = served.clock.now()
  const template = await store.read
    .selectFrom('users')
    .selectAll()
    .where('id', '=', served.bob.id)
    .executeTakeFirstOrThrow()
  for (let from = 0; from < count; from += 500)
    await store.writer.run(async () => {
      const rows = Array.from({ length: 500 }, (_, n) => ({
        ...template,
        id: newId<'users'>('usr', now),
        email: `p${from + n}@dir.test`,
        display_name: `Person ${from + n}`,
        created_at: now,
        updated_at: now,
      }))
      await store.write.insertInto('users').values(rows).execute()
    })
  const seen = new Set<string>()
  let total = Number.POSITIVE_INFINITY
  for (let startIndex = 1; startIndex <= total; startIndex += maxPageSize) {
    const page = await scim.get(`/Users?startIndex=${startIndex}&count=100000`)
    total = page.totalResults
    assert.ok(page.Resources.length <= maxPageSize)
    assert.equal(page.itemsPerPage, page.Resources.length)
    for (const { id } of page.Resources as { id: string }[]) seen.add(id)
  }
  assert.equal(total, count)
  assert.equal(seen.size, total)
  const beyond = await scim.get(`/Users?startIndex=${total + 1}`)
  assert.deepEqual([beyond.totalResults, beyond.Resources], [total, []])
  const lastUser = await scim.get(filterPath('Users', 'userName eq "P9999@dir.test"'))
  assert.deepEqual([lastUser.totalResults, lastUser.Resources[0].displayName], [1, 'Person 9999'])
})
