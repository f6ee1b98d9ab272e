import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notifyPeople } from '../../notify/notifications.ts'
import { Queue } from '../../jobs/queue.ts'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { pruneNotifications } from './pruning.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const notify = (text: string) => {
  const { app, clock, bob } = workspace
  return app.store.writer.run(() =>
    notifyPeople(app.store.write, clock.now(), bob.actor.org_id, [bob.id], {
      kind: 'comment',
      item: { type: 'organization', id: bob.actor.org_id },
      actor: null,
      text,
    }),
  )
}
const remainingTexts = () =>
  workspace.app.store.raw.read.prepare('SELECT text FROM notifications ORDER BY id').pluck().all()
const prune = async () => {
  const queue = new Queue(workspace.app)
  await queue.add(pruneNotifications.name, {})
  await queue.drain()
}

test('entries read by id or by the read mark are deleted after 90 days, unread ones after four times as long', async () => {
  const { bob, clock } = workspace
  await notify('read by id')
  const [entry] = (await bob.call('list_notifications')).items
  await bob.call('mark_notifications_read', { notification_ids: [entry.id] })
  clock.pass(1)
  await notify('read with all')
  await bob.call('mark_notifications_read', { all: true })
  clock.pass(1)
  await notify('unread')
  clock.pass(89 * dayLong)
  await prune()
  assert.deepEqual(remainingTexts(), ['read by id', 'read with all', 'unread'])
  clock.pass(2 * dayLong)
  await prune()
  assert.deepEqual(remainingTexts(), ['unread'])
  clock.pass(270 * dayLong)
  await prune()
  assert.deepEqual(remainingTexts(), [])
})

test('nothing is deleted while the clock is in doubt', async () => {
  const { app, clock } = workspace
  await notify('old')
  clock.pass(500 * dayLong)
  app.mayErase = () => false
  await prune()
  assert.deepEqual(remainingTexts(), ['old'])
  app.mayErase = () => true
  await prune()
  assert.deepEqual(remainingTexts(), [])
})
