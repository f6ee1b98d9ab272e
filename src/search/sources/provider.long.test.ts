import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  askSearch,
  providerVectors,
  searchHouse,
  searchSpaces,
  searchStanding,
  tendSearch,
} from '../../testing/provided-search.ts'
import { openProvided } from '../../testing/search-provider.ts'

const program = fileURLToPath(new URL('../../testing/search-provider.ts', import.meta.url))

test('repeated kill -9 while building a space: finished work is kept, and the space ends up complete and in use', async (t) => {
  const search = await searchHouse(t, {}, { embeddings_batch: 8 })
  const many = Array.from({ length: 480 }, (_, i) => ({
    id: `p${i}`,
    body: i % 7 === 0 ? `Outage ${i} of a server.` : `Bread number ${i} with flour and salt.`,
  }))
  await search.put(...many)
  await search.engine.maintain()
  await search.close()
  search.server.fault = () => undefined
  let before = 0
  let kills = 0
  for (let isDone = false; !isDone; ) {
    const child = spawn(process.execPath, [program, search.dir, JSON.stringify(search.settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = new Promise((resolve) => child.once('exit', resolve))
    const done = new Promise<boolean>((go) => child.stdout.once('data', () => go(true)))
    const requestsBefore = search.server.requests.length
    let hasStopped = false
    const enoughRequests = (async () => {
      while (!hasStopped && search.server.requests.length < requestsBefore + 9) await pause(2)
      return false
    })()
    isDone = await Promise.race([done, enoughRequests])
    hasStopped = true // otherwise the waiting loop would keep this process alive
    child.kill('SIGKILL')
    await exit
    kills++
    const reopened = openProvided(search.dir, {})
    const vectorCount = providerVectors(reopened) as number
    const { state } = searchStanding(reopened).provider!
    assert.deepEqual(reopened.store.raw.read.prepare('pragma integrity_check').pluck().get(), 'ok')
    await reopened.store.close()
    assert.ok(vectorCount >= before, 'no stored vector is lost')
    assert.ok(vectorCount > before || isDone || state === 'ready', 'each run makes progress')
    before = vectorCount
    if (kills > 12) break
  }
  const sent = search.server.requests.flatMap((request) => request.input.slice(1)).length
  assert.ok(sent < 480 + kills * 24, `${sent} texts were sent for 480`)
  const finalSearch = openProvided(search.dir, search.settings)
  t.after(() => finalSearch.close())
  await tendSearch(finalSearch)
  assert.deepEqual(
    [
      providerVectors(finalSearch),
      searchStanding(finalSearch).provider!.state,
      searchStanding(finalSearch).provider!.due,
    ],
    [480, 'ready', 0],
  )
  assert.equal((await askSearch(finalSearch, 'downtime failover')).model, 'test-embed')
  assert.ok(kills > 2)
})

test('kill -9 while one space replaces another: exactly one is in use, and it is complete', async (t) => {
  const item = await searchHouse(t)
  await item.put(
    ...Array.from({ length: 60 }, (_, i) => ({
      id: `p${i}`,
      body: `Bread number ${i} with flour and salt.`,
    })),
  )
  await tendSearch(item)
  await item.close()
  for (let round = 0; round < 4; round++) {
    item.server.change()
    const from = item.server.requests.length
    const child = spawn(process.execPath, [program, item.dir, JSON.stringify(item.settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = new Promise((go) => child.once('exit', go))
    while (item.server.requests.length < from + 2) await pause(1) // the probe and the last texts, after which the space is switched
    await pause(round * 4)
    child.kill('SIGKILL')
    await exit
    const look = openProvided(item.dir, {})
    const active = look.store.raw.read
      .prepare(
        "select s.id, count(distinct v.doc) as docs from search_spaces as s join search_vectors as v on v.space = s.id where s.provider = 'openai' and s.state = 'active' group by s.id",
      )
      .all() as { docs: number }[]
    await look.store.close()
    assert.deepEqual(
      active.map((space) => space.docs),
      [60],
    )
  }
  const end = openProvided(item.dir, item.settings)
  t.after(() => end.close())
  await tendSearch(end)
  assert.deepEqual(searchSpaces(end), [
    { provider: 'embedded', state: 'active', dimensions: 256 },
    { provider: 'openai', state: 'active', dimensions: 256 },
  ])
  assert.equal(providerVectors(end), 60)
})
