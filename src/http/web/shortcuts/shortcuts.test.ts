import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser

before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.ann, served.bob)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

const change = (browser: Browser, changes: object) => browser.post('/web/shortcuts', { changes })
const shortcutsIn = async (browser: Browser) => (await browser.get('/web/session')).json.shortcuts

test('changed shortcuts apply in the person’s other browser and to no other person', async () => {
  assert.deepEqual(await shortcutsIn(ann), {})
  const first = await change(ann, { 'task.done': ['h', 'alt+d'], 'go.inbox': ['g q'] })
  assert.deepEqual(first.json, {
    shortcuts: { 'task.done': ['h', 'alt+d'], 'go.inbox': ['g q'] },
  })
  const second = await new Browser(served).signIn('ann@acme.test')
  assert.deepEqual(await shortcutsIn(second), first.json.shortcuts)
  assert.deepEqual(await shortcutsIn(bob), {})
})

test('unmentioned shortcuts stay, an empty list is kept, and null restores the default', async () => {
  await change(bob, { 'task.done': ['h'], 'app.theme': [] })
  await change(bob, { 'task.due': ['q'] })
  const all = { 'task.done': ['h'], 'app.theme': [], 'task.due': ['q'] }
  assert.deepEqual(await shortcutsIn(bob), all)
  await change(bob, { 'task.done': null, 'app.theme': null, 'view.list': null })
  assert.deepEqual(await shortcutsIn(bob), { 'task.due': ['q'] })
  await change(bob, { 'task.due': null })
  assert.deepEqual(await shortcutsIn(bob), {})
})

test('a change is one call log entry, and an invalid key or command is refused with a reason', async () => {
  const calls = () =>
    served.app.store.raw.read
      .prepare("SELECT count(*) FROM calls WHERE tool = 'change_shortcuts' AND status = 'ok'")
      .pluck()
      .get()
  const before = calls() as number
  const refused = [
    await change(ann, { 'task.done': ['g d d'] }),
    await change(ann, { 'task.done': [''] }),
    await change(ann, { 'task.done': ['a', 'b', 'c', 'd', 'e'] }),
    await change(ann, { 'no command': ['a'] }),
    await change(ann, { 'task.done': 'h' }),
  ]
  for (const { status, json } of refused) {
    assert.deepEqual([status, json.code], [400, 'invalid_argument'])
    assert.match(json.field, /^changes/)
  }
  assert.equal(calls(), before)
  await change(ann, { 'task.done': ['h'] })
  assert.equal(calls(), before + 1)
})

test('shortcuts for too many commands are refused as a whole', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 501 }, (_, n) => [
      `task.${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`,
      ['h'],
    ]),
  )
  const { status, json } = await change(bob, many)
  assert.deepEqual([status, json.code, json.field], [400, 'invalid_argument', 'changes'])
  assert.match(json.message, /at most 500 commands can be changed; these would be 501/)
  assert.deepEqual(await shortcutsIn(bob), {}, 'none of it is stored')
})
