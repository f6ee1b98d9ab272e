import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { EventReader } from '../../testing/events.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser
let shared: string
let other: string
const openReaders: EventReader[] = []

before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0, limits: true } })
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
  await served.ann.call('create_project', {
    name: 'Engine',
    key: 'ENG',
    member_ids: [served.bob.id],
  })
  const ids = []
  for (const title of ['Pistons', 'Valves'])
    ids.push((await served.ann.call('create_task', { project_id: 'ENG', title })).id as string)
  ;[shared, other] = ids as [string, string]
})
beforeEach(async () => {
  await Promise.all(openReaders.splice(0).map((reader) => reader.cancel()))
  served.clock.wait(60_000) // rate limits are reset, and tabs of the previous test have expired
})
after(() => served.close())

/** A browser that follows the events of the workspace. */
class Tab {
  readonly #browser: Browser
  readonly #reader: EventReader
  readonly stream: string

  constructor(browser: Browser, reader: EventReader, stream: string) {
    this.#browser = browser
    this.#reader = reader
    this.stream = stream
  }

  static async open(browser: Browser): Promise<Tab> {
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(`${served.url}/web/events`, {
      headers: { accept: 'text/event-stream', cookie },
    })
    const reader = new EventReader(response)
    openReaders.push(reader)
    const first = await reader.next()
    assert.equal(first?.event, 'ready')
    return new Tab(browser, reader, first.json.stream as string)
  }

  look(items: readonly string[], more: object = {}, stream = this.stream) {
    return this.#browser.post(`/web/events/${stream}`, { tab: 'first', items, ...more })
  }

  /** Waits for the next report of viewers. */
  async events(timeoutMs?: number): Promise<any[]> {
    for (;;) {
      const event = await this.#reader.next(timeoutMs)
      assert.ok(event, 'the stream ended')
      if (event.event !== 'presence') continue
      assert.equal(event.id, undefined)
      return event.json.items
    }
  }

  /** Asserts that no report arrives within a second. */
  async assertNoReport(): Promise<void> {
    const events = await this.events(1000).catch((error: Error) => error)
    if (!(events instanceof Error)) assert.fail(`heard ${JSON.stringify(events)}`)
    assert.match(events.message, /Nothing came/)
  }
}

const namesIn = (items: any[]) =>
  items.map(({ item, people }) => [
    item,
    people.map((looker: any) => `${looker.person.title}${looker.typing ? ' types' : ''}`),
  ])

test('viewers of the same item see each other and each other’s typing', async () => {
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  assert.deepEqual((await first.look([shared, other])).json, { items: [shared, other] })
  await second.look([shared])
  const events = await first.events()
  assert.deepEqual(namesIn(events), [[shared, ['Bob']]])
  assert.deepEqual(events[0].people[0].person.id, served.bob.id)
  assert.equal(new Date(events[0].people[0].since).getTime(), served.clock.now())
  assert.deepEqual(namesIn(await second.events()), [[shared, ['Ann']]])
  await second.look([shared], { typing: shared })
  assert.deepEqual(namesIn(await first.events()), [[shared, ['Bob types']]])
  await second.look([], {})
  assert.deepEqual(namesIn(await first.events()), [[shared, []]])
})

test('the cursor in an item’s text is announced at each move, from the tab that moved last', async () => {
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  const cursorAt = (position: number, item = shared) => ({
    cursor: { item, revision: 1, at: position },
  })
  const reportedCursors = async () => (await first.events()).map(({ people }) => people[0]?.cursor)
  await first.look([shared])
  await second.look([shared], cursorAt(5))
  assert.deepEqual(await reportedCursors(), [{ revision: 1, at: 5 }])
  await second.look([shared], cursorAt(7))
  assert.deepEqual(await reportedCursors(), [{ revision: 1, at: 7 }])
  served.clock.wait(1000)
  await second.look([shared], { tab: 'second', ...cursorAt(2) })
  assert.deepEqual(await reportedCursors(), [{ revision: 1, at: 2 }])
  served.clock.wait(1000)
  await second.look([shared], { typing: shared, ...cursorAt(7) }) // the cursor did not move
  assert.deepEqual(await reportedCursors(), [{ revision: 1, at: 2 }])
  await second.look([shared, other], { tab: 'second', ...cursorAt(3, other) })
  assert.deepEqual(await reportedCursors(), [{ revision: 1, at: 7 }])
  await second.look([shared])
  assert.deepEqual(await reportedCursors(), [undefined])
  const hidden = await second.look([shared], cursorAt(1, `${shared.slice(0, -1)}x`))
  assert.deepEqual(hidden.json, { items: [shared] })
  await first.assertNoReport()
})

test('a tab opened later learns who is present, and closing one does not affect the others', async () => {
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  await first.look([shared])
  await second.look([shared])
  await first.events()
  await first.look([shared], { tab: 'second' })
  assert.deepEqual(namesIn(await first.events()), [[shared, ['Bob']]])
  await second.events()
  await first.look([], { tab: 'second' })
  await second.assertNoReport()
})

test('a viewer silent for 30 seconds is gone', async () => {
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  await first.look([shared])
  await second.look([shared])
  await first.events()
  served.clock.wait(20_000)
  await first.look([shared])
  served.clock.wait(10_001)
  assert.deepEqual(namesIn(await first.events()), [[shared, []]])
})

test('a viewer whose stream ends is gone at once', async () => {
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  await first.look([shared])
  await second.look([shared])
  await first.events()
  await openReaders[1]?.cancel()
  assert.deepEqual(namesIn(await first.events()), [[shared, []]])
})

test('another organization learns nothing and is not visible', async () => {
  const [first, stranger] = [await Tab.open(ann), await Tab.open(eve)]
  await first.look([shared], { typing: shared })
  const unknown = shared.slice(0, -4) + (shared.endsWith('0000') ? '1111' : '0000')
  for (const items of [[shared], [unknown]])
    assert.deepEqual((await stranger.look(items, { typing: items[0] })).json, { items: [] })
  const foreign = await stranger.look([shared], {}, first.stream)
  const absent = await stranger.look([shared], {}, '00000000-0000-4000-8000-000000000000')
  assert.deepEqual([foreign.status, absent.status], [404, 404])
  const { request_id: _, ...foreignProblem } = foreign.json as Record<string, unknown>
  const { request_id: __, ...absentProblem } = absent.json as Record<string, unknown>
  assert.deepEqual(
    { ...foreignProblem, instance: undefined },
    { ...absentProblem, instance: undefined },
  )
  await Promise.all([first.assertNoReport(), stranger.assertNoReport()])
})

test('a viewer who loses access to the item receives nothing more and is not visible', async () => {
  const { id } = await served.ann.call('create_page', { title: 'Plan', body_markdown: 'Text' })
  await served.ann.call('share_page', { page_id: id, person_id: served.bob.id, role: 'viewer' })
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  await first.look([id])
  await second.look([id])
  assert.deepEqual(namesIn(await second.events()), [[id, ['Ann']]])
  await first.events()
  await served.ann.call('unshare_page', { page_id: id, person_id: served.bob.id })
  await first.look([id], { typing: id })
  assert.deepEqual(namesIn(await first.events()), [[id, []]])
  assert.deepEqual(namesIn(await second.events()), [[id, []]])
  await first.look([id])
  await second.assertNoReport()
  assert.deepEqual((await second.look([id])).json, { items: [] })
})

test('a person who hides their presence is hidden immediately, without an announcement', async () => {
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  await first.look([shared])
  await second.look([shared], { typing: shared })
  await first.events()
  const countChanges = () =>
    served.app.store.raw.read.prepare('SELECT count(*) FROM changes').pluck().get()
  const before = countChanges()
  assert.deepEqual((await bob.get('/web/presence')).json, { is_shown: true })
  assert.deepEqual((await bob.post('/web/presence', { is_shown: false })).json, {
    is_shown: false,
  })
  assert.deepEqual(namesIn(await first.events()), [[shared, []]])
  assert.equal(countChanges(), before)
  await second.events()
  await first.look([shared], { typing: shared })
  assert.deepEqual(namesIn(await second.events()), [[shared, ['Ann types']]])
  await bob.post('/web/presence', { is_shown: true })
  assert.deepEqual(namesIn(await first.events()), [[shared, ['Bob types']]])
})

test('a stream sends presence at most four times a second, and none of it is logged', async () => {
  const [first, second] = [await Tab.open(ann), await Tab.open(bob)]
  const countCalls = () =>
    served.app.store.raw.read.prepare('SELECT count(*) FROM calls').pluck().get()
  const before = countCalls()
  await first.look([shared, other])
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      second.look([shared, other], n % 2 ? { typing: shared } : {}),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  assert.ok(refused.length > 0 && refused.length < 60)
  for (const { status, json } of refused)
    assert.deepEqual([status, json.code], [429, 'rate_limited'])
  served.clock.wait(2000)
  assert.equal((await second.look([shared, other], { typing: other })).status, 200)
  const isLatest = (items: any[]) =>
    items.some(({ item, people }) => item === other && people[0]?.typing === true)
  while (!isLatest(await first.events()));
  assert.equal(countCalls(), before)
})

test('an invalid list of ids is refused with a reason', async () => {
  const tab = await Tab.open(ann)
  const many = await tab.look(Array.from({ length: 21 }, () => shared))
  const long = await tab.look(['x'.repeat(81)])
  const unknown = await tab.look([shared], { cursor: 3 })
  assert.deepEqual(
    [many, long, unknown].map(({ status, json }) => [status, json.code, json.field]),
    [
      [400, 'invalid_argument', 'items'],
      [400, 'invalid_argument', 'items.0'],
      [400, 'invalid_argument', 'cursor'],
    ],
  )
})
