import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTicks } from '../../jobs/scheduler.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', { name: 'Launch', key: 'LAU' })
  await workspace.ann.call('add_project_member', { project_id: 'LAU', person_id: workspace.bob.id })
})
after(() => workspace.close())

interface KindPreference {
  kind: string
  app: boolean
  email: boolean
}
const channelsOf = async (kind: string) => {
  const preferences = await workspace.bob.call('get_notification_preferences')
  const { app, email } = preferences.events.find(
    (event: KindPreference) => event.kind === kind,
  ) as KindPreference
  return { app, email }
}

test('by default everything appears in the app, entries that need attention are mailed, and there are no quiet hours', async () => {
  const preferences = await workspace.carol.call('get_notification_preferences')
  assert.ok(preferences.events.every((event: KindPreference) => event.app))
  assert.deepEqual(
    preferences.events
      .filter((event: KindPreference) => !event.email)
      .map((event: KindPreference) => event.kind)
      .sort(),
    ['comment', 'due'],
  )
  assert.deepEqual(
    [preferences.quiet_hours, preferences.digest, preferences.email_delivery],
    [null, 'off', 'not_configured'],
  )
})

test('preferences are changed one by one, and undo reverts each', async () => {
  const { bob } = workspace
  await bob.call('update_notification_preferences', { events: { comment: { email: true } } })
  const changed = await bob.call('update_notification_preferences', {
    events: { comment: { app: false } },
    digest: 'daily',
  })
  assert.equal(changed.digest, 'daily')
  assert.deepEqual(await channelsOf('comment'), { app: false, email: true })
  const call_id = workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool = 'update_notification_preferences' ORDER BY id DESC LIMIT 1",
    )
    .pluck()
    .get() as string
  const undone = await bob.call('undo_api_call', { call_id })
  assert.equal(undone.undone, true)
  assert.deepEqual(await channelsOf('comment'), { app: true, email: true })
  assert.equal((await bob.call('get_notification_preferences')).digest, 'off')
  await bob.call('update_notification_preferences', { events: { comment: { email: false } } })
})

test('a kind turned off by its recipient is not recorded', async () => {
  const { ann, bob } = workspace
  const task = await ann.call('create_task', {
    project_id: 'LAU',
    title: 'Quiet',
    assignee_ids: [bob.id],
  })
  await bob.call('mark_notifications_read', { all: true })
  await bob.call('update_notification_preferences', {
    events: { comment: { app: false, email: false } },
  })
  await ann.call('add_task_comment', { task_id: task.id, body_markdown: 'nobody hears this' })
  assert.deepEqual((await bob.call('list_notifications', { unread: true })).items, [])
  await ann.call('add_task_comment', { task_id: task.id, body_markdown: '@Bob hears this' })
  assert.equal((await bob.call('list_notifications', { unread: true })).items.length, 1)
})

test('a mail-only kind still appears in the list if mail cannot be sent', async () => {
  const { ann, bob, clock } = workspace
  await bob.call('update_notification_preferences', {
    events: { comment: { app: false, email: true } },
  })
  await bob.call('mark_notifications_read', { all: true })
  clock.pass(10)
  await ann.call('add_task_comment', { task_id: 'LAU-1', body_markdown: 'by mail' })
  assert.deepEqual((await bob.call('list_notifications', { unread: true })).items, [])
  await runTicks(workspace.app)
  assert.deepEqual(
    (await bob.call('list_notifications', { unread: true })).items.map(
      (item: { kind: string }) => item.kind,
    ),
    ['comment'],
  )
})

test('security notices cannot be hidden from the list', async () => {
  assert.equal(
    (
      await workspace.bob.refused('update_notification_preferences', {
        events: { security: { app: false } },
      })
    ).more.field,
    'events.security.app',
  )
  await workspace.bob.call('update_notification_preferences', {
    events: { security: { email: false } },
  })
})

test('quiet hours need both ends, keep omitted fields, and are removed by null', async () => {
  const { bob } = workspace
  assert.match(
    (await bob.refused('update_notification_preferences', { quiet_hours: { from: '22:00' } }))
      .message,
    /from and to are required/,
  )
  assert.match(
    (
      await bob.refused('update_notification_preferences', {
        quiet_hours: { from: '22:00', to: '22:00' },
      })
    ).message,
    /must differ/,
  )
  assert.equal(
    (
      await bob.refused('update_notification_preferences', {
        quiet_hours: { from: '25:00', to: '07:00' },
      })
    ).code,
    'invalid_argument',
  )
  assert.equal(
    (
      await bob.refused('update_notification_preferences', {
        quiet_hours: { from: '22:00', to: '07:00', timezone: 'Mars/Olympus' },
      })
    ).code,
    'invalid_argument',
  )
  const first = await bob.call('update_notification_preferences', {
    quiet_hours: { from: '22:00', to: '07:00' },
  })
  assert.deepEqual(first.quiet_hours, {
    from: '22:00',
    to: '07:00',
    timezone: 'Europe/Berlin',
    except_incidents: true,
  })
  const second = await bob.call('update_notification_preferences', {
    quiet_hours: { to: '08:00', timezone: 'Asia/Tokyo', except_incidents: false },
  })
  assert.deepEqual(second.quiet_hours, {
    from: '22:00',
    to: '08:00',
    timezone: 'Asia/Tokyo',
    except_incidents: false,
  })
  assert.equal(
    (await bob.call('update_notification_preferences', { quiet_hours: null })).quiet_hours,
    null,
  )
})

test('unknown kinds and delivery methods are refused by name', async () => {
  assert.equal(
    (
      await workspace.bob.refused('update_notification_preferences', {
        events: { gossip: { app: true } },
      })
    ).code,
    'invalid_argument',
  )
  assert.equal(
    (
      await workspace.bob.refused('update_notification_preferences', {
        events: { comment: { fax: true } },
      })
    ).code,
    'invalid_argument',
  )
})
