import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Row } from '../../../records/resource.ts'
import { asPerson } from '../../../operations/jobs/system.ts'
import { storeAttached } from '../../drive/shapes.ts'
import { iso } from '../../../kernel/time/times.ts'
import {
  hour,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
  type KeyNarrowing,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** Changes the organization or a person directly, as an administrator would outside operations. */
async function updateRow<T extends 'orgs' | 'users'>(
  table: T,
  id: string,
  patch: Partial<Row<T>>,
): Promise<void> {
  await workspace.app.store.writer.run(async () => {
    await workspace.app.store.write
      .updateTable(table as 'users')
      .set(patch as never)
      .where('id', '=', id as never)
      .execute()
  })
}

/** A key of ann's. */
const key = (more: KeyNarrowing = {}) => workspace.key(workspace.ann, more)

const names = (page: { items: { display_name: string }[] }) =>
  page.items.map((item) => item.display_name)

test('people are listed by name and filtered by name, address or title, ignoring case', async () => {
  const { ann, bob } = workspace
  assert.deepEqual(names(await ann.call('list_people')), ['Ann', 'Bob', 'Carol'])
  const muller = await workspace.person('Jürgen')
  await muller.call('update_my_profile', { title: 'Head of 50%_off' })
  assert.deepEqual(names(await ann.call('list_people', { query: 'JÜRGEN' })), ['Jürgen'])
  assert.deepEqual(names(await ann.call('list_people', { query: '50%_OFF' })), ['Jürgen'])
  assert.deepEqual(names(await bob.call('list_people', { query: 'CAROL@acme' })), ['Carol'])
  assert.deepEqual(names(await ann.call('list_people', { query: '_' })), ['Jürgen'])
  assert.deepEqual(names(await ann.call('list_people', { query: '\\' })), [])
})

test('people are filtered by role, status and team, and paginated', async () => {
  const { ann, bob, carol } = workspace
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.deepEqual(names(await ann.call('list_people', { role: 'guest' })), ['Gus'])
  await updateRow('users', guest.id, { status: 'deactivated' })
  assert.deepEqual(names(await ann.call('list_people', { status: 'deactivated' })), ['Gus'])
  await ann.call('create_team', { name: 'Pair', lead_id: bob.id, member_ids: [carol.id] })
  const first = await ann.call('list_people', { team_id: 'pair', limit: 1 })
  const second = await ann.call('list_people', {
    team_id: 'pair',
    limit: 1,
    cursor: first.next_cursor,
  })
  assert.deepEqual([...names(first), ...names(second)], ['Bob', 'Carol'])
  assert.equal(second.has_more, false)
})

test('a person is found by id, address or me, but not from another organization', async () => {
  const { ann, bob, eve } = workspace
  assert.equal((await ann.call('get_person', { person_id: bob.id })).email, 'bob@acme.test')
  assert.equal((await ann.call('get_person', { person_id: 'BOB@acme.test' })).id, bob.id)
  assert.equal((await ann.call('get_person', { person_id: 'me' })).id, ann.id)
  for (const person_id of [bob.id, 'bob@acme.test']) {
    assert.equal((await eve.refused('get_person', { person_id })).code, 'not_found')
    assert.equal((await eve.refused('get_person_workload', { person_id })).code, 'not_found')
    assert.equal((await eve.refused('list_teams', { person_id })).code, 'not_found')
    assert.equal((await eve.refused('list_time_off', { person_id })).code, 'not_found')
  }
  assert.deepEqual(names(await eve.call('list_people')), ['Eve'])
})

test('the organization shows its settings and available modules', async () => {
  const { ann, eve } = workspace
  const acme = await ann.call('get_organization')
  assert.equal(acme.name, 'Acme')
  assert.deepEqual(acme.work_week, [1, 2, 3, 4, 5])
  assert.deepEqual(acme.modules, workspace.app.catalogue.toolsets)
  assert.deepEqual(acme.plan_limits, {})
  assert.equal((await eve.call('get_organization')).name, 'Other')
})

test('get_me returns the caller, their current time, and the scope of the key', async () => {
  const { ann } = workspace
  const whole = await ann.call('get_me')
  assert.equal(whole.person.id, ann.id)
  assert.equal(whole.key, undefined)
  assert.deepEqual(whole.now, {
    utc: '2026-11-20T12:00:00.000Z',
    local: '2026-11-20T13:00:00+01:00',
    weekday: 'Friday',
  })
  assert.deepEqual(whole.toolset, whole.enabled_modules)
  assert.deepEqual(whole.accounts, { mail: [], calendars: 1, drives: 1 })
  const narrow = await key({ toolsets: ['people'], expires_at: Date.UTC(2027, 0, 1) })
  const keyed = await ann.call('get_me', { include: ['teams'] }, { key: narrow })
  assert.deepEqual(keyed.key, {
    id: narrow.id,
    name: 'test',
    prefix: narrow.prefix,
    read_only: false,
    expires_at: '2027-01-01T00:00:00.000Z',
  })
  assert.deepEqual(keyed.toolset, ['people'])
  assert.ok(keyed.teams)
  for (const part of ['projects', 'accounts', 'counts']) assert.equal(keyed[part], undefined)
})

test('the owner changes a profile field by field', async () => {
  const { bob } = workspace
  const changed = await bob.call('update_my_profile', {
    display_name: ' Robert ',
    title: 'Engineer',
    timezone: 'America/New_York',
    working_hours: {
      fri: [
        { from: '13:00', to: '17:00' },
        { from: '08:00', to: '12:00' },
      ],
    },
  })
  assert.equal(changed.display_name, 'Robert')
  assert.deepEqual(changed.working_hours, {
    fri: [
      { from: '08:00', to: '12:00' },
      { from: '13:00', to: '17:00' },
    ],
  })
  assert.equal((await bob.call('get_me')).now.local, '2026-11-20T07:00:00-05:00')
  assert.equal((await bob.call('update_my_profile', { title: null })).title, null)
  assert.equal((await bob.call('update_my_profile', {})).timezone, 'America/New_York')
  assert.equal(
    (await bob.refused('update_my_profile', { timezone: 'Mars/Base' })).more.field,
    'timezone',
  )
  assert.equal(
    (await bob.refused('update_my_profile', { display_name: ' ' })).code,
    'invalid_argument',
  )
  assert.equal(
    (
      await bob.refused('update_my_profile', {
        working_hours: { mon: [{ from: '10:00', to: '09:00' }] },
      })
    ).more.field,
    'working_hours.mon',
  )
  assert.equal(
    (await bob.refused('update_my_profile', { working_hours: { moonday: [] } })).code,
    'invalid_argument',
  )
  assert.equal((await bob.refused('update_my_profile', { role: 'admin' })).code, 'invalid_argument')
  await bob.call('update_my_profile', {
    display_name: 'Bob',
    timezone: 'Europe/Berlin',
    working_hours: { fri: [{ from: '09:00', to: '17:00' }] },
  })
})

test('an avatar must be an image visible to the person', async () => {
  const { ann, bob } = workspace
  const image = await createFile(bob, 'image/png')
  const text = await createFile(bob, 'text/plain')
  assert.equal(
    (await bob.call('update_my_profile', { avatar_file_id: image })).avatar_url,
    `http://workspace.test/files/${image}`,
  )
  assert.equal(
    (await bob.refused('update_my_profile', { avatar_file_id: text })).more.field,
    'avatar_file_id',
  )
  const hidden = await createFile(bob, 'image/png')
  assert.equal(
    (await ann.refused('update_my_profile', { avatar_file_id: hidden })).code,
    'not_found',
  )
  assert.equal(
    (await ann.call('download_file', { file_id: image })).download.mime_type,
    'image/png',
    "a colleague's picture may be seen",
  )
  assert.equal((await workspace.eve.refused('download_file', { file_id: image })).code, 'not_found')
  assert.equal((await bob.call('update_my_profile', { avatar_file_id: null })).avatar_url, null)
})

function createFile(as: Someone, mime_type: string): Promise<string> {
  return asPerson(
    workspace.app,
    as.id,
    'plant_file',
    async (ctx) =>
      (
        await ctx.change(
          'files',
          await storeAttached(ctx, { name: 'me', bytes: Buffer.from('A') }),
          { mime_type },
        )
      ).id,
  )
}

test('a status lasts until its end and then reads as available', async () => {
  const { ann, carol } = workspace
  const until = '2026-11-20T15:00:00'
  const set = await carol.call('set_my_status', {
    text: 'Lunch',
    emoji: '🍜',
    availability: 'away',
    until,
  })
  assert.deepEqual(
    set.presence,
    { availability: 'away', text: 'Lunch', emoji: '🍜', until: '2026-11-20T14:00:00.000Z' },
    'local time of the zone',
  )
  assert.equal(
    (await carol.call('set_my_status', { text: 'Lunch', emoji: '🍜', availability: 'away', until }))
      .revision,
    set.revision,
    'the same again changes nothing',
  )
  workspace.clock.pass(2 * hour)
  assert.deepEqual((await ann.call('get_person', { person_id: carol.id })).presence, {
    availability: 'available',
  })
  workspace.clock.pass(-2 * hour)
  const whole = await carol.call('set_my_status', { availability: 'busy', until: '2026-11-20' })
  assert.deepEqual(
    whole.presence,
    { availability: 'busy', until: '2026-11-20T22:59:59.000Z' },
    'a date is the end of that day; text is set anew each time',
  )
  assert.deepEqual((await carol.call('set_my_status')).presence, { availability: 'available' })
})

test('a status that has expired, ends too far ahead, or has an invalid emoji is refused', async () => {
  const { carol } = workspace
  assert.equal(
    (await carol.refused('set_my_status', { until: '2026-11-20T11:59:00Z' })).more.field,
    'until',
  )
  assert.equal((await carol.refused('set_my_status', { until: '2029-01-01' })).more.field, 'until')
  for (const emoji of ['no', '🍜🍜', '<b>', '5'])
    assert.equal((await carol.refused('set_my_status', { emoji })).more.field, 'emoji', emoji)
  for (const emoji of ['👩🏽‍💻', '🇩🇪', ':palm_tree:', '✈️', '❤️'])
    assert.equal((await carol.call('set_my_status', { emoji })).presence.emoji, emoji)
})

test('a workload compares open tasks of shared projects with the remaining hours', async () => {
  const { ann, bob, carol } = workspace
  const shared = await ann.call('create_project', {
    name: 'Shared',
    key: 'SHA',
    member_ids: [bob.id],
  })
  const hidden = await bob.call('create_project', {
    name: 'Hidden',
    key: 'HID',
    member_ids: [carol.id],
  })
  const friday = Date.UTC(2026, 10, 20, 16)
  await ann.call('create_task', {
    project_id: shared.id,
    title: 'Due',
    assignee_ids: [bob.id],
    due_at: iso(friday),
    estimate_minutes: 200,
  })
  await ann.call('create_task', {
    project_id: shared.id,
    title: 'Late',
    assignee_ids: [bob.id],
    due_at: iso(friday - 48 * hour),
  })
  await ann.call('create_task', {
    project_id: shared.id,
    title: 'In hand',
    assignee_ids: [bob.id, ann.id],
    status: 'In progress',
    estimate_minutes: 100,
  })
  await ann.call('create_task', {
    project_id: shared.id,
    title: 'Some day',
    assignee_ids: [bob.id],
    status: 'Backlog',
    estimate_minutes: 9000,
  })
  await ann.call('create_task', {
    project_id: shared.id,
    title: 'Afterwards',
    assignee_ids: [bob.id],
    due_at: iso(friday + 72 * hour),
    estimate_minutes: 9000,
  })
  await ann.call('create_task', {
    project_id: shared.id,
    title: 'Done',
    assignee_ids: [bob.id],
    status: 'Done',
    due_at: iso(friday),
    estimate_minutes: 9000,
  })
  await bob.call('create_task', {
    project_id: hidden.id,
    title: 'Secret',
    assignee_ids: [bob.id],
    due_at: iso(friday),
    estimate_minutes: 300,
  })
  const today = { person_id: bob.id, from: '2026-11-20', to: '2026-11-20' }
  const seen = await ann.call('get_person_workload', today)
  assert.equal(seen.open_tasks, 3)
  assert.equal(seen.estimate_minutes, 300)
  assert.equal(seen.unestimated_tasks, 1)
  assert.equal(seen.capacity_minutes, 480)
  assert.equal(seen.load, 'normal')
  assert.deepEqual(seen.by_project, [
    { project: { id: shared.id, title: 'Shared', key: 'SHA' }, open: 3, overdue: 1 },
  ])
  const workload = await bob.call('get_person_workload', { ...today, person_id: 'me' })
  assert.equal(workload.open_tasks, 4)
  assert.equal(workload.load, 'over')
  assert.equal((await carol.call('get_person_workload', today)).open_tasks, 1)
  await bob.call('archive_project', { project_id: hidden.id })
  assert.equal(
    (await carol.call('get_person_workload', today)).open_tasks,
    0,
    'tasks of an archived project do not count',
  )
})

test('the load is unknown if there are tasks and none has an estimate', async () => {
  const { ann } = workspace
  const who = await workspace.person('Uma')
  const load = async () => (await ann.call('get_person_workload', { person_id: who.id })).load
  assert.equal(await load(), 'light', 'no task is no work')
  const project = await ann.call('create_project', { name: 'Load', member_ids: [who.id] })
  const assign = (title: string, more: object = {}) =>
    ann.call('create_task', {
      project_id: project.id,
      title,
      assignee_ids: [who.id],
      due_at: '2026-11-27',
      ...more,
    })
  await assign('First')
  await assign('Second')
  assert.equal(await load(), 'unknown')
  await assign('Third', { estimate_minutes: 60 })
  assert.equal(await load(), 'light', 'one estimate is enough to judge the load')
})

test('time off and holidays reduce capacity, and only working days count as off', async () => {
  const { ann, carol } = workspace
  await carol.call('create_time_off', {
    starts_on: '2026-12-04',
    ends_on: '2026-12-07',
    kind: 'vacation',
  })
  await updateRow('orgs', ann.actor.org_id, {
    holidays_json: '[{"date":"2026-12-08","name":"Feast"}]',
  })
  const workload = await ann.call('get_person_workload', {
    person_id: carol.id,
    from: '2026-12-03',
    to: '2026-12-09',
  })
  assert.equal(workload.time_off_days, 2)
  assert.equal(workload.capacity_minutes, 2 * 480)
  assert.equal(workload.meeting_minutes, undefined)
  const defaultPeriod = await ann.call('get_person_workload', { person_id: carol.id })
  assert.deepEqual([defaultPeriod.from, defaultPeriod.to], ['2026-11-20', '2026-12-03'])
  assert.equal(
    (
      await ann.refused('get_person_workload', {
        person_id: 'me',
        from: '2026-12-02',
        to: '2026-12-01',
      })
    ).more.field,
    'to',
  )
  assert.equal(
    (
      await ann.refused('get_person_workload', {
        person_id: 'me',
        from: '2026-01-01',
        to: '2028-01-01',
      })
    ).more.field,
    'to',
  )
  assert.equal(
    (await ann.refused('get_person_workload', { person_id: 'me', from: '9999-12-31' })).code,
    'invalid_argument',
  )
})
