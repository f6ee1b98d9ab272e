import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notifyPeople } from '../../notify/notifications.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../testing/harness.ts'

let workspace: TestWorkspace
let task: { id: string; key: string }
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_project', { name: 'Launch', key: 'LAU' })
  for (const person of [bob, carol])
    await ann.call('add_project_member', { project_id: 'LAU', person_id: person.id })
  task = await ann.call('create_task', { project_id: 'LAU', title: 'Ship it' })
  for (const person of [bob, carol]) await person.call('mark_notifications_read', { all: true })
})
after(() => workspace.close())

const texts = async (who: Someone, args: object = {}) =>
  (await who.call('list_notifications', { ...args })).items.map(
    (item: { text: string }) => item.text,
  )

/** Notifies someone of the task, outside any call. */
const notify = (who: Someone, text: string, kind: 'comment' | 'mention' = 'comment') =>
  workspace.app.store.writer.run(() =>
    notifyPeople(workspace.app.store.write, workspace.clock.now(), who.actor.org_id, [who.id], {
      kind,
      item: { type: 'task', id: task.id },
      actor: workspace.ann.id,
      text,
    }),
  )

test('an entry names actor, action and item, and is visible only to its recipient', async () => {
  const { ann, bob, carol } = workspace
  await ann.call('add_task_comment', { task_id: 'LAU-1', body_markdown: 'Look here, @Bob' })
  const [entry] = (await bob.call('list_notifications', { unread: true })).items
  assert.equal(entry.kind, 'mention')
  assert.equal(entry.item.key, 'LAU-1')
  assert.equal(entry.actor.title, 'Ann')
  assert.equal(entry.unread, true)
  assert.deepEqual(await texts(carol, { unread: true }), [])
  assert.deepEqual(
    await texts(ann, { unread: true }),
    [],
    'people are not notified of their own actions',
  )
  assert.equal(
    (await carol.refused('mark_notifications_read', { notification_ids: [entry.id] })).code,
    'not_found',
  )
})

test('marking by ids reports entries already read, and undo makes the others unread again', async () => {
  const { bob } = workspace
  await notify(bob, 'one')
  const [entry] = (await bob.call('list_notifications')).items
  const first = await bob.call('mark_notifications_read', { notification_ids: [entry.id] })
  assert.deepEqual([first.requested, first.changed, first.skipped], [1, 1, []])
  const again = await bob.call('mark_notifications_read', { notification_ids: [entry.id] })
  assert.deepEqual([again.changed, again.skipped], [0, [{ id: entry.id, reason: 'already read' }]])
  const [read] = (await bob.call('list_notifications', { unread: false })).items
  assert.deepEqual([read.id, read.unread], [entry.id, false])
  const undone = await bob.call('undo_api_call', { call_id: first.undo_call_id })
  assert.equal(undone.undone, true)
  assert.equal((await bob.call('list_notifications', { unread: true })).items[0].id, entry.id)
})

test('all entries, or all before a moment, are marked read in one step that undo reverts', async () => {
  const { bob, clock } = workspace
  await bob.call('mark_notifications_read', { all: true })
  await notify(bob, 'older')
  clock.pass(hour)
  const middle = new Date(clock.now() - minute).toISOString()
  await notify(bob, 'newer', 'mention')
  assert.deepEqual(await texts(bob, { unread: true }), ['newer', 'older'])
  const marked = await bob.call('mark_notifications_read', { before: middle })
  assert.deepEqual(
    [marked.changed, marked.items.map((item: { title: string }) => item.title)],
    [1, ['older']],
  )
  assert.deepEqual(await texts(bob, { unread: true }), ['newer'])
  const all = await bob.call('mark_notifications_read', { all: true })
  assert.equal(all.changed, 1)
  assert.deepEqual(await texts(bob, { unread: true }), [])
  await bob.call('undo_api_call', { call_id: all.undo_call_id })
  assert.deepEqual(await texts(bob, { unread: true }), ['newer'])
  await bob.call('undo_api_call', { call_id: marked.undo_call_id })
  assert.deepEqual(await texts(bob, { unread: true }), ['newer', 'older'])
  await notify(bob, 'at the same moment')
  await bob.call('mark_notifications_read', { all: true })
  await notify(bob, 'right after')
  clock.pass(1)
  assert.deepEqual(await texts(bob, { unread: true }), ['right after'])
})

test('a snoozed entry is hidden until its time, then reappears unread and on top', async () => {
  const { bob, clock } = workspace
  await bob.call('mark_notifications_read', { all: true })
  await notify(bob, 'later')
  const [entry] = (await bob.call('list_notifications', { unread: true })).items
  assert.equal(
    (
      await bob.refused('mark_notifications_read', {
        notification_ids: [entry.id],
        snooze_until: '2026-01-01',
      })
    ).more.field,
    'snooze_until',
  )
  await bob.call('mark_notifications_read', {
    notification_ids: [entry.id],
    snooze_until: new Date(clock.now() + dayLong).toISOString(),
  })
  await notify(bob, 'meanwhile')
  assert.deepEqual((await texts(bob)).slice(0, 1), ['meanwhile'])
  assert.ok(!(await texts(bob)).includes('later'))
  await bob.call('mark_notifications_read', { all: true })
  clock.pass(dayLong)
  assert.deepEqual(await texts(bob, { unread: true }), ['later'])
  const snoozed = await bob.call('mark_notifications_read', {
    all: true,
    snooze_until: new Date(clock.now() + hour).toISOString(),
  })
  assert.equal(snoozed.changed, 1)
  assert.deepEqual(await texts(bob, { unread: true }), [])
  await bob.call('undo_api_call', { call_id: snoozed.undo_call_id })
  assert.deepEqual(await texts(bob, { unread: true }), ['later'])
})

test('a single read or snoozed entry can be marked unread, even after all were marked read', async () => {
  const { bob, clock } = workspace
  await notify(bob, 'first')
  clock.pass(minute)
  await notify(bob, 'second')
  const [second, first] = (await bob.call('list_notifications', { unread: true })).items
  await bob.call('mark_notifications_read', { all: true })
  clock.pass(minute)
  const marked = await bob.call('mark_notifications_read', {
    notification_ids: [first.id],
    unread: true,
  })
  assert.equal(marked.changed, 1)
  assert.deepEqual(await texts(bob, { unread: true }), ['first'])
  await bob.call('undo_api_call', { call_id: marked.undo_call_id })
  assert.deepEqual(await texts(bob, { unread: true }), [])
  const snooze_until = new Date(clock.now() + hour).toISOString()
  await bob.call('mark_notifications_read', { notification_ids: [first.id], unread: true })
  await bob.call('mark_notifications_read', { notification_ids: [first.id], snooze_until })
  assert.deepEqual(await texts(bob, { unread: true }), [])
  assert.deepEqual(await texts(bob, { snoozed: true }), ['first'])
  await bob.call('mark_notifications_read', { notification_ids: [first.id], unread: true })
  assert.deepEqual(await texts(bob, { snoozed: true }), [])
  assert.deepEqual(await texts(bob, { unread: true }), ['first'])
  for (const otherArgs of [{ all: true }, { notification_ids: [second.id], snooze_until }, {}])
    assert.match(
      (await bob.refused('mark_notifications_read', { ...otherArgs, unread: true })).message,
      /^unread: applies to notification_ids alone/,
    )
  await bob.call('mark_notifications_read', { all: true })
})

test('a muted item produces only entries that address the person directly, until it is unmuted', async () => {
  const { bob, carol, clock } = workspace
  clock.pass(minute)
  const muted = await bob.call('update_notification_preferences', { mute_id: task.id })
  assert.deepEqual(
    muted.muted.map((item: { id: string }) => item.id),
    [task.id],
  )
  await notify(bob, 'a comment', 'comment')
  await notify(bob, 'a mention', 'mention')
  await notify(carol, 'a comment', 'comment')
  assert.deepEqual(await texts(bob, { unread: true }), ['a mention'])
  assert.ok((await texts(carol, { unread: true })).includes('a comment'), 'others still receive it')
  await bob.call('update_notification_preferences', { unmute_id: task.id })
  await notify(bob, 'heard again', 'comment')
  assert.deepEqual(await texts(bob, { unread: true }), ['heard again', 'a mention'])
  assert.deepEqual((await bob.call('get_notification_preferences')).muted, [])
  assert.equal(
    (
      await bob.refused('update_notification_preferences', {
        mute_id: 'tsk_00000000000000000000000000',
      })
    ).code,
    'not_found',
  )
  for (const person of [bob, carol]) await person.call('mark_notifications_read', { all: true })
  clock.pass(minute)
})

test('an empty or ambiguous selection is refused', async () => {
  const { bob } = workspace
  assert.match(
    (await bob.refused('mark_notifications_read', {})).message,
    /no notifications selected/,
  )
  const [entry] = (await bob.call('list_notifications')).items
  assert.match(
    (await bob.refused('mark_notifications_read', { all: true, notification_ids: [entry.id] }))
      .message,
    /cannot be combined/,
  )
})

test('entries are filtered by kind and time, and paginated newest first', async () => {
  const { carol, clock } = workspace
  const since = new Date(clock.now()).toISOString()
  for (const text of ['a', 'b', 'c']) {
    await notify(carol, text, text === 'b' ? 'mention' : 'comment')
    clock.pass(minute)
  }
  assert.deepEqual(await texts(carol, { after: since }), ['c', 'b', 'a'])
  assert.deepEqual(await texts(carol, { after: since, kind: ['mention'] }), ['b'])
  const page = await carol.call('list_notifications', { after: since, limit: 2 })
  assert.deepEqual([page.items.length, page.has_more], [2, true])
  assert.deepEqual(await texts(carol, { after: since, limit: 2, cursor: page.next_cursor }), ['a'])
})

test('an entry whose item is invisible or trashed is neither shown nor counted, and returns with it', async () => {
  const { ann, carol, clock } = workspace
  await carol.call('mark_notifications_read', { all: true })
  clock.pass(1)
  await notify(carol, 'about the task')
  const [entry] = (await carol.call('list_notifications', { unread: true })).items
  await ann.call('delete_task', { task_id: task.id })
  assert.deepEqual(await texts(carol, { unread: true }), [])
  await ann.call('restore_item', { item_id: task.id })
  assert.deepEqual(await texts(carol, { unread: true }), ['about the task'])
  await ann.call('remove_project_member', { project_id: 'LAU', person_id: carol.id })
  assert.deepEqual(await texts(carol), [])
  assert.equal(
    (await carol.refused('mark_notifications_read', { notification_ids: [entry.id] })).code,
    'not_found',
  )
  assert.equal((await carol.call('mark_notifications_read', { all: true })).changed, 0)
})

test('entries about unlisted items (a key, the organization) are shown', async () => {
  const { bob } = workspace
  const key = await workspace.key(bob)
  const { store, clock } = workspace.app
  const notifyBob = (item: { type: string; id: string }, text: string) =>
    notifyPeople(store.write, clock.now(), bob.actor.org_id, [bob.id], {
      kind: 'security',
      item,
      actor: null,
      text,
    })
  await store.writer.run(async () => {
    await notifyBob({ type: 'api_key', id: key.id }, 'your key')
    await notifyBob({ type: 'organization', id: bob.actor.org_id }, 'your organization')
  })
  const notices = (await bob.call('list_notifications', { kind: ['security'], limit: 2 })).items
  assert.deepEqual(
    notices.map((item: { item: { type: string }; text: string }) => [item.item.type, item.text]),
    [
      ['organization', 'your organization'],
      ['api_key', 'your key'],
    ],
  )
  assert.equal(notices[0].actor, undefined)
})
