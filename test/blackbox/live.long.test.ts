import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { oneInstance, type BlackboxInstance } from '../../src/testing/blackbox/instance.ts'
import { send, type Door } from '../../src/testing/blackbox/requests.ts'
import { use } from '../../src/testing/blackbox/things.ts'
import { EventReader, type StreamEvent } from '../../src/testing/events.ts'

// Two people at two screens, on a new server: each sees the other's messages immediately and exactly once, even if a
// connection breaks or the server is killed. Observed from outside only.

let instance: BlackboxInstance
let ann: Door
let bob: Door
let channel: string

before(async () => {
  instance = await oneInstance()
  const { url } = instance.server
  ann = { url, key: await instance.newKey('ann@acme.test') }
  bob = { url, key: await instance.newKey('bob@acme.test') }
  channel = (
    await use(ann, 'create_channel', {
      name: 'launch',
      kind: 'private',
      member_ids: ['bob@acme.test'],
    })
  ).id
})
after(() => instance.remove())

/** A chat screen: follows messages, reconnects with the last id, and records them. */
class Screen {
  readonly events: StreamEvent[] = []
  readonly #door: Door
  readonly #query: string
  #last: string | undefined
  #reader!: EventReader

  constructor(door: Door, query = 'events=message.posted') {
    this.#door = door
    this.#query = query
  }

  async open(): Promise<this> {
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${this.#door.key}`,
      ...(this.#last === undefined ? {} : { 'last-event-id': this.#last }),
    }
    const response = await fetch(`${this.#door.url}/api/events?${this.#query}`, { headers })
    assert.equal(response.status, 200)
    this.#reader = new EventReader(response)
    assert.equal((await this.#next())!.event, 'ready')
    return this
  }

  /** Listens until a total number of messages was received. */
  async listen(count: number): Promise<string[]> {
    while (this.events.length < count) {
      const event = await this.#next()
      if (event) this.events.push(event)
      else await this.open()
    }
    return this.events.map((streamEvent) => streamEvent.json.item.title)
  }

  cut(): Promise<void> {
    return this.#reader.cancel()
  }

  async #next(): Promise<StreamEvent | undefined> {
    const event = await this.#reader.next().catch((error: Error) => {
      if (/Nothing came/.test(error.message)) throw error
      return undefined // the connection broke
    })
    if (event?.id) this.#last = event.id
    return event
  }
}

const say = (door: Door, text: string) =>
  use(door, 'send_message', { channel_id: channel, body_markdown: text })

test('a message is received by the other person and by its sender', async () => {
  const [atAnn, atBob] = await Promise.all([new Screen(ann).open(), new Screen(bob).open()])
  await say(ann, 'Are we ready?')
  await say(bob, 'Nearly.')
  for (const screen of [atAnn, atBob])
    assert.deepEqual(await screen.listen(2), ['Are we ready?', 'Nearly.'])
  const { items } = await use(bob, 'list_messages', { channel_id: channel })
  assert.deepEqual(
    items.map((item: { id: string }) => item.id).reverse(),
    atBob.events.map((streamEvent) => streamEvent.json.item.id),
  )
  await Promise.all([atAnn.cut(), atBob.cut()])
})

test('a hundred messages of both at once arrive once each and in one order, over a connection that breaks repeatedly', async () => {
  const [atAnn, atBob] = await Promise.all([new Screen(ann).open(), new Screen(bob).open()])
  const talking = Promise.all(
    Array.from({ length: 50 }, (_, i) => Promise.all([say(ann, `ann ${i}`), say(bob, `bob ${i}`)])),
  )
  for (let expectedCount = 9; expectedCount < 100; expectedCount += 13) {
    await atBob.listen(expectedCount)
    await atBob.cut()
    await atBob.open()
  }
  await talking
  const [annHeard, bobHeard] = await Promise.all([atAnn.listen(100), atBob.listen(100)])
  assert.deepEqual(bobHeard, annHeard)
  assert.equal(new Set(bobHeard).size, 100)
  await Promise.all([atAnn.cut(), atBob.cut()])
})

test('a mention reaches only the mentioned person, as a mention', async () => {
  const [atAnn, atBob] = await Promise.all([
    new Screen(ann, 'events=message.mentioned_me').open(),
    new Screen(bob, 'events=message.mentioned_me').open(),
  ])
  await say(ann, '@Bob have a look')
  await say(bob, '@Ann I did')
  assert.deepEqual(await atBob.listen(1), ['@Bob have a look'])
  assert.deepEqual(await atAnn.listen(1), ['@Ann I did'])
  await Promise.all([atAnn.cut(), atBob.cut()])
})

test('a person who leaves receives nothing more, and one who returns receives messages from then on', async () => {
  const atBob = await new Screen(bob, 'types=message,channel&events=message.posted,access.*').open()
  await use(bob, 'leave_channel', { channel_id: channel })
  await atBob.listen(1)
  const atAnn = await new Screen(ann).open()
  await say(ann, 'between us')
  await atAnn.listen(1) // it is told before they are back: then they may read it
  await use(ann, 'add_channel_members', { channel_id: channel, person_ids: ['bob@acme.test'] })
  await say(ann, 'welcome back')
  await atBob.listen(3)
  assert.deepEqual(
    atBob.events.map((streamEvent) => [streamEvent.event, streamEvent.json.item.title]),
    [
      ['access.lost', undefined],
      ['access.gained', 'launch'],
      ['message.posted', 'welcome back'],
    ],
  )
  await Promise.all([atAnn.cut(), atBob.cut()])
})

test('a server that is killed and restarted omits nothing and repeats nothing', async () => {
  const atBob = await new Screen(bob).open()
  await say(ann, 'before')
  await atBob.listen(1)
  await say(ann, 'last words')
  await instance.server.end('SIGKILL')
  await instance.restart()
  for (const door of [ann, bob]) door.url = instance.server.url
  await say(ann, 'after')
  assert.deepEqual(await atBob.listen(3), ['before', 'last words', 'after'])
  const { status } = await send(bob, {
    method: 'GET',
    path: '/api/events',
    headers: { accept: 'application/json' },
  })
  assert.equal(status, 400) // without a stream it is the calendar, which wants to know from when to when
  await atBob.cut()
})
