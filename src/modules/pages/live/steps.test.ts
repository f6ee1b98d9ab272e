import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { Browser, givePasswords } from '../../../testing/browser.ts'
import { EventReader } from '../../../testing/events.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'
import { stepsTick, versionsTick } from './access-upkeep.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser

before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  await givePasswords(served, served.ann, served.bob)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

async function pageOf(body_markdown: string) {
  const { id, revision } = await served.ann.call('create_page', { title: 'Live', body_markdown })
  await served.ann.call('share_page', { page_id: id, person_id: served.bob.id, role: 'editor' })
  const body = async () => (await served.ann.call('get_page', { page_id: id })).body_markdown
  const versions = async () => (await served.ann.call('list_page_versions', { page_id: id })).items
  const now = async () => (await ann.get(`/web/pages/${id}/live`)).json
  return { id: id as string, revision: revision as number, body, versions, now }
}

const send = (
  ...[who, id, since, changes, more]: [Browser, string, number, unknown, more?: object]
) => who.post(`/web/pages/${id}/steps`, { since, changes, edit: randomUUID(), ...more })

const countRows = async (rows: string, value: string) => {
  const { read } = served.app.store
  return Number((await read.one<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, value))?.n)
}

const writeVersions = async () => {
  while (await runTick(served.app, versionsTick));
}

test('steps from the same revision are rebased over each other, and every editor gets the text at once', async () => {
  const page = await pageOf('one two')
  const { revision } = await page.now()
  const first = await send(ann, page.id, revision, [3, [0, ' and'], 4])
  assert.deepEqual([first.status, first.json.revision, first.json.steps], [200, revision + 1, []])
  const second = await send(bob, page.id, revision, [7, [0, '!', '']])
  assert.equal(second.json.revision, revision + 2)
  assert.deepEqual(
    second.json.steps.map((step: any) => [step.revision, step.changes, step.author.title]),
    [[revision + 1, [3, [0, ' and'], 4], 'Ann']],
  )
  assert.equal(await page.body(), 'one and two!\n')
  assert.equal((await page.versions()).length, 1)
  assert.equal((await page.now()).revision, revision + 2)
})

test('of insertions at the same position, one that continues text of the same editor comes first, else the earlier one', async () => {
  const page = await pageOf('end')
  const { revision } = await page.now()
  await send(ann, page.id, revision, [[0, 'he'], 3])
  await send(bob, page.id, revision, [[0, 'wo'], 3])
  await send(ann, page.id, revision + 1, [2, [0, 'llo'], 3], { continues: true })
  assert.equal(await page.body(), 'hellowoend')
})

test('resending a step does not apply it again', async () => {
  const page = await pageOf('one')
  const { revision } = await page.now()
  const edit = randomUUID()
  await send(ann, page.id, revision, [3, [0, ' two']], { edit })
  const again = await send(ann, page.id, revision, [3, [0, ' two']], { edit })
  assert.deepEqual([again.json.revision, again.json.steps[0].edit], [revision + 1, edit])
  assert.equal(await page.body(), 'one two')
})

test('a change that does not fit the text is refused with the reason', async () => {
  const page = await pageOf('one 😀')
  const { revision } = await page.now()
  const wrong = async (changes: unknown, more: object = {}) => {
    const { status, json } = await send(ann, page.id, revision, changes, more)
    return [status, json.type?.split('/').pop() ?? json.code, json.detail ?? json.message]
  }
  for (const changes of [
    [1],
    [99],
    [7, [0, 'x']],
    [-1],
    ['x'],
    [[0, 'a\nb'], 6],
    [6, [0, '\ud800']],
  ])
    assert.equal((await wrong(changes))[0], 400, JSON.stringify(changes))
  assert.match(String((await wrong([5, [1, 'x']]))[2]), /surrogate/)
  assert.equal((await wrong([6, [0, 'x'.repeat(100_001)]]))[0], 400)
  assert.equal((await wrong([6], { since: revision + 5 }))[0], 400)
  const key = (await served.keyFor(served.ann)).key
  assert.match(String((await wrong([6, [0, key]]))[2]), /working API key/)
  await send(ann, page.id, revision, [6, [0, key.slice(0, 12)]])
  const secondHalf = await send(ann, page.id, revision + 1, [18, [0, key.slice(12)]])
  assert.equal(secondHalf.status, 400, 'typed in two pieces')
  assert.equal(await page.body(), `one 😀${key.slice(0, 12)}`)
})

test('a version is created after a pause, with its authors and links', async () => {
  const target = await pageOf('target')
  const page = await pageOf('one')
  const { revision } = await page.now()
  await send(ann, page.id, revision, [3, [0, ' two']])
  await send(bob, page.id, revision + 1, [7, [0, ` three [[${target.id}]]`]])
  await writeVersions()
  assert.equal((await page.versions()).length, 1, 'no version while people are typing')
  served.clock.at += 21_000
  await writeVersions()
  const [version] = await page.versions()
  assert.deepEqual(
    [version.number, version.author.title, version.via, version.chars_changed],
    [2, 'Bob', 'web', 48 - 3],
  )
  assert.deepEqual(
    version.authors.map((author: any) => author.title),
    ['Bob', 'Ann'],
  )
  assert.equal(await page.body(), `one two three [[${target.id}]]`)
  const { backlinks } = await served.ann.call('get_page', { page_id: target.id })
  assert.deepEqual(
    backlinks.map((link: any) => link.id),
    [page.id],
  )
  const after = await page.now()
  assert.equal(
    (await send(ann, page.id, after.revision, [48, [0, '.']], { done: true })).status,
    200,
  )
  assert.equal((await page.versions()).length, 3, 'done creates a version at once')
})

test('lines name the version they came from, readable only by people who can see the page', async () => {
  const page = await pageOf('one\ntwo\nthree')
  const key = await served.key(served.bob, { name: 'helper' })
  const edit = { page_id: page.id, find: 'two', new_markdown: 'TWO' }
  await served.bob.call('edit_page_section', edit, { key, via: 'mcp' })
  const { revision } = await page.now()
  const text = await page.body()
  await send(ann, page.id, revision, [text.length, [0, '!']], { done: true })
  const [latest, edited, first] = await page.versions()
  const path = (id: string) => `/web/pages/${page.id}/versions/${id}/lines`
  const { json } = await ann.get(path(latest.id))
  const lines = text.split('\n').length
  assert.deepEqual(
    json.stretches.map((stretch: any) => [stretch.line, stretch.count, stretch.version_id]),
    [
      [1, 1, first.id],
      [2, 1, edited.id],
      [3, lines - 3, first.id],
      [lines, 1, latest.id],
    ].filter(([, count]) => count !== 0),
  )
  const written = json.versions.find((version: any) => version.id === edited.id)
  assert.deepEqual([written.author.title, written.key_name], ['Bob', 'helper'])
  const other = await pageOf('other')
  const [otherVersion] = await other.versions()
  assert.equal((await ann.get(path(otherVersion.id))).status, 404)
  assert.equal((await ann.get(path('pvr_nothing'))).status, 404)
  await served.ann.call('unshare_page', { page_id: page.id, person_id: served.bob.id })
  assert.equal((await bob.get(path(latest.id))).status, 404)
})

test('text that is typed and removed again creates no version', async () => {
  const page = await pageOf('one')
  const { revision } = await page.now()
  await send(ann, page.id, revision, [3, [0, 'x']])
  await send(ann, page.id, revision + 1, [3, [1]])
  served.clock.at += 21_000
  await writeVersions()
  assert.equal((await page.versions()).length, 1)
  await send(ann, page.id, revision + 2, [3, [0, 'y']], { done: true })
  assert.equal((await page.versions()).length, 2)
  assert.equal(await page.body(), 'oney')
})

test('an operation based on an older revision keeps text typed since, and editors receive its change', async () => {
  const page = await pageOf('# A\n\none\n\n# B\n\ntwo\n')
  const { revision } = await page.now()
  await send(bob, page.id, revision, [8, [0, ' typed'], 11])
  const edit = await served.ann.call('update_page', {
    page_id: page.id,
    base_revision: revision,
    body_markdown: '# A\n\none\n\n# B\n\ntwo and three\n',
  })
  assert.equal(await page.body(), '# A\n\none typed\n\n# B\n\ntwo and three\n')
  const [own, live] = await page.versions()
  assert.deepEqual([own.author.title, live.author.title, live.via], ['Ann', 'Bob', 'web'])
  const { json } = await send(bob, page.id, revision + 1, [25, [0, 'four', '']])
  assert.deepEqual(
    json.steps.map((step: any) => [step.author.title, step.edit]),
    [['Ann', undefined]],
  )
  assert.equal(await page.body(), '# A\n\none typed\n\n# B\n\ntwo and three\nfour\n')
  const refusal = await served.ann.refused('edit_page_section', {
    page_id: page.id,
    base_revision: revision,
    find: 'one',
    new_markdown: 'ONE',
  })
  assert.equal(refusal.code, 'conflict')
  assert.match(JSON.stringify(refusal.body()), /one typed/)
  assert.match(JSON.stringify(refusal.body()), /Bob/)
  assert.ok(edit.revision > revision)
})

test('undoing an operation keeps text that people typed before or since', async () => {
  const page = await pageOf('one\ntwo\n')
  const { revision } = await page.now()
  await send(bob, page.id, revision, [3, [0, ' typed'], 5])
  const { undo_call_id } = await served.ann.call('edit_page_section', {
    page_id: page.id,
    find: 'two',
    new_markdown: 'TWO',
  })
  const then = await page.now()
  await served.ann.call('undo_api_call', { call_id: undo_call_id })
  assert.equal(await page.body(), 'one typed\ntwo\n')
  const stepAnswer = await send(bob, page.id, then.revision, [14, [0, 'three']])
  assert.equal(stepAnswer.json.steps.length, 1)
  assert.equal(await page.body(), 'one typed\ntwo\nthree')
  const again = await served.ann.call('edit_page_section', {
    page_id: page.id,
    find: 'two',
    new_markdown: 'TWO',
  })
  await send(bob, page.id, (await page.now()).revision, [19, [0, '!']])
  const { refused } = await served.ann.call('undo_api_call', { call_id: again.undo_call_id })
  assert.deepEqual(
    refused.map((item: any) => item.reason),
    ['changed_since'],
  )
  assert.equal(await page.body(), 'one typed\nTWO\nthree!')
})

test('a comment stays with its passage during live editing', async () => {
  const page = await pageOf('one two three\n')
  await served.ann.call('add_page_comment', {
    page_id: page.id,
    body_markdown: 'Really?',
    quote: 'two three',
  })
  const { revision } = await page.now()
  await send(bob, page.id, revision, [7, [0, ' and a half'], 7])
  const [comment] = (await served.ann.call('list_page_comments', { page_id: page.id })).items
  assert.deepEqual(
    [comment.quote, comment.anchor, comment.quote_offset],
    ['two and a half three', 'found', 4],
  )
})

test('read-only users cannot send steps, and unsharing a page ends its stream within a second', async () => {
  const page = await pageOf('secret')
  const { revision } = await page.now()
  const response = await fetch(
    `${served.url}/web/pages/${page.id}/steps/stream?since=${revision}`,
    {
      headers: {
        accept: 'text/event-stream',
        cookie: [...bob.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    },
  )
  assert.equal(response.status, 200)
  const stream = new EventReader(response)
  assert.equal((await stream.message()).event, 'ready')
  await send(ann, page.id, revision, [6, [0, ' words']])
  const message = await stream.message()
  assert.deepEqual([message.revision, message.changes], [revision + 1, [6, [0, ' words']]])
  const share = { page_id: page.id, person_id: served.bob.id }
  await served.ann.call('share_page', { ...share, role: 'viewer' })
  assert.equal((await send(bob, page.id, revision + 1, [12, [0, '!']])).status, 403)
  assert.equal((await bob.get(`/web/pages/${page.id}/live`)).json.may_edit, false)
  await served.ann.call('unshare_page', share)
  assert.deepEqual(await stream.message(), { event: 'gone' })
  assert.equal((await send(bob, page.id, revision + 1, [12, [0, '!']])).status, 404)
  assert.equal((await bob.get(`/web/pages/${page.id}/live`)).status, 404)
  await stream.cancel()
})

test('steps are kept for a week; a client that was away longer must reload the text', async () => {
  const page = await pageOf('one')
  const { revision } = await page.now()
  await send(ann, page.id, revision, [3, [0, ' two']], { done: true })
  const version = (await page.now()).revision
  served.clock.at += 8 * 86_400_000
  await ann.signIn('ann@acme.test')
  await bob.signIn('bob@acme.test')
  assert.equal((await send(ann, page.id, revision, [3, [0, '!']])).status, 409)
  while (await runTick(served.app, stepsTick));
  assert.equal(await countRows('page_steps WHERE page_id = ?', page.id), 0)
  const refusal = await served.ann.refused('update_page', {
    page_id: page.id,
    base_revision: revision + 1,
    body_markdown: 'three',
  })
  assert.match(refusal.message, /not known/)
  assert.equal((await send(ann, page.id, version, [7, [0, '!']])).status, 200)
  assert.equal(await page.body(), 'one two!')
})

test('the call log has one entry per person and version', async () => {
  const page = await pageOf('one')
  const { revision } = await page.now()
  const entries = () => countRows('calls WHERE tool = ?', 'edit_page_live')
  const before = await entries()
  for (let i = 0; i < 4; i++) await send(ann, page.id, revision + i, [3 + i, [0, 'x']])
  await send(bob, page.id, revision + 4, [7, [0, 'y']])
  assert.equal((await entries()) - before, 2)
})
