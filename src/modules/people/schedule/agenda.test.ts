import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { iso } from '../../../kernel/time/times.ts'
import { hour, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let project: string
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  project = (await ann.call('create_project', { name: 'Work', key: 'WRK', member_ids: [bob.id] }))
    .id
})
after(() => workspace.close())

const titles = (tasks: { title: string }[]) => tasks.map((task) => task.title)
const at = (day: number, hours: number, minutes = 0) => Date.UTC(2026, 10, day, hours, minutes)

test('an agenda shows tasks due that day in the time zone, and overdue ones', async () => {
  const { ann, bob } = workspace
  await ann.call('create_task', {
    project_id: project,
    title: 'Tonight',
    assignee_ids: [ann.id],
    due_at: iso(at(20, 22, 59)),
  })
  await ann.call('create_task', {
    project_id: project,
    title: 'Past midnight',
    assignee_ids: [ann.id],
    due_at: iso(at(20, 23, 1)),
  })
  await ann.call('create_task', {
    project_id: project,
    title: 'This morning',
    assignee_ids: [ann.id],
    due_at: iso(at(20, 8)),
  })
  await ann.call('create_task', {
    project_id: project,
    title: 'Done',
    assignee_ids: [ann.id],
    due_at: iso(at(20, 15)),
    status: 'Done',
  })
  await ann.call('create_task', {
    project_id: project,
    title: 'Of Bob',
    assignee_ids: [bob.id],
    due_at: iso(at(20, 15)),
  })
  const today = await ann.call('get_my_agenda')
  assert.deepEqual([today.date, today.timezone], ['2026-11-20', 'Europe/Berlin'])
  assert.deepEqual(titles(today.tasks_due), ['Tonight'])
  assert.deepEqual(titles(today.tasks_overdue), ['This morning'])
  assert.equal(today.tasks_due[0].due_local, '2026-11-20T23:59:00+01:00')
  assert.deepEqual(titles((await ann.call('get_my_agenda', { days: 2 })).tasks_due), [
    'Tonight',
    'Past midnight',
  ])
  assert.deepEqual(titles((await ann.call('get_my_agenda', { timezone: 'UTC' })).tasks_due), [
    'Tonight',
    'Past midnight',
  ])
  assert.deepEqual(titles((await ann.call('get_my_agenda', { date: '2026-11-21' })).tasks_due), [
    'Past midnight',
  ])
  const { counts } = await ann.call('get_me', { include: ['counts'] })
  assert.deepEqual(counts, { unread: 0, mentions: 0, due_today: 1, overdue: 1, awaiting_reply: 0 })
})

test('the agenda omits tasks of archived projects and of projects that the caller left', async () => {
  const { ann, carol } = workspace
  const leftProject = await ann.call('create_project', {
    name: 'Left',
    key: 'LFT',
    member_ids: [carol.id],
  })
  await ann.call('create_task', {
    project_id: leftProject.id,
    title: 'Canary',
    assignee_ids: [carol.id],
    due_at: iso(at(20, 15)),
  })
  assert.deepEqual(titles((await carol.call('get_my_agenda')).tasks_due), ['Canary'])
  await ann.call('archive_project', { project_id: leftProject.id })
  assert.deepEqual((await carol.call('get_my_agenda')).tasks_due, [])
  await ann.call('archive_project', { project_id: leftProject.id, archived: false })
  await ann.call('remove_project_member', { project_id: leftProject.id, person_id: carol.id })
  assert.ok(!JSON.stringify(await carol.call('get_my_agenda')).includes('Canary'))
  assert.equal((await carol.call('get_me')).counts.due_today, 0)
})

test('free minutes are working time from now on, minus time off', async () => {
  const { bob } = workspace
  assert.equal((await bob.call('get_my_agenda')).free_minutes, 4 * 60, '13:00 to 17:00')
  assert.equal(
    (await bob.call('get_my_agenda', { days: 4 })).free_minutes,
    4 * 60 + 8 * 60,
    'over the weekend to Monday',
  )
  assert.equal((await bob.call('get_my_agenda', { date: '2026-11-19' })).free_minutes, 0)
  await bob.call('create_time_off', {
    starts_on: '2026-11-23',
    ends_on: '2026-11-23',
    kind: 'sick',
    note: 'flu',
  })
  assert.equal((await bob.call('get_my_agenda', { days: 4 })).free_minutes, 4 * 60)
})

test('absences of collaborators are shown, those of others are not', async () => {
  const { ann, bob, carol } = workspace
  await carol.call('create_time_off', {
    starts_on: '2026-11-24',
    ends_on: '2026-11-24',
    kind: 'vacation',
  })
  const week = { date: '2026-11-23', days: 5 }
  const away = (agenda: { time_off: { person: { title: string }; kind: string }[] }) =>
    agenda.time_off.map((item) => `${item.person.title} ${item.kind}`)
  assert.deepEqual(away(await ann.call('get_my_agenda', week)), ['Bob other'])
  assert.deepEqual(away(await bob.call('get_my_agenda', week)), ['Bob sick'])
  await ann.call('create_team', { name: 'Team', member_ids: [ann.id, carol.id] })
  assert.deepEqual(away(await ann.call('get_my_agenda', week)), ['Bob other', 'Carol vacation'])
})

test('missing modules are named, and their sections are empty', async () => {
  const agenda = await workspace.ann.call('get_my_agenda')
  const moduleNames = workspace.app.catalogue.modules.map((module) => module.name)
  assert.deepEqual(
    agenda.missing_modules,
    ['calendar', 'meetings', 'incidents', 'notifications', 'email'].filter(
      (name) => !moduleNames.includes(name),
    ),
  )
  for (const section of [
    'events',
    'meetings_to_prepare',
    'on_call',
    'reminders',
    'threads_awaiting_me',
  ])
    assert.deepEqual(agenda[section], [])
})

test('reminders and meetings to prepare are private to the caller; their items appear only while visible', async () => {
  const { ann, bob, carol } = workspace
  const task = await ann.call('create_task', { project_id: project, title: 'Reminded of' })
  await bob.call('create_reminder', {
    remind_at: iso(at(20, 16)),
    text: 'Look at it',
    item_id: task.id,
  })
  await bob.call('create_reminder', { remind_at: iso(at(21, 16)), text: 'Tomorrow' })
  await ann.call('create_meeting', {
    title: 'With Bob',
    participants: [bob.id],
    starts_at: iso(at(20, 14)),
    ends_at: iso(at(20, 15)),
  })
  await ann.call('create_meeting', {
    title: 'Everybody may read',
    visibility: 'organization',
    starts_at: iso(at(20, 15)),
  })
  const today = await bob.call('get_my_agenda')
  assert.deepEqual(
    today.reminders.map((item: any) => [item.text, item.item.title]),
    [['Look at it', 'Reminded of']],
  )
  assert.deepEqual(titles(today.meetings_to_prepare), ['With Bob'])
  assert.deepEqual(titles((await ann.call('get_my_agenda')).meetings_to_prepare), [
    'With Bob',
    'Everybody may read',
  ])
  const carols = await carol.call('get_my_agenda')
  assert.deepEqual([carols.reminders, carols.meetings_to_prepare], [[], []])
  await ann.call('remove_project_member', { project_id: project, person_id: bob.id })
  const [reminder] = (await bob.call('get_my_agenda')).reminders
  assert.deepEqual(
    [reminder.item, reminder.item_hidden, reminder.text],
    [undefined, true, 'Look at it'],
  )
  await ann.call('add_project_member', { project_id: project, person_id: bob.id })
})

test('unread items in chat and elsewhere are counted once each until read or no longer visible', async () => {
  const { ann, carol } = workspace
  const counts = async () => {
    const { unread, mentions } = (await carol.call('get_me', { include: ['counts'] })).counts
    return [unread, mentions]
  }
  const [unread, mentions] = (await counts()) as [number, number]
  const channel = await ann.call('create_channel', {
    name: 'counted',
    kind: 'private',
    member_ids: [carol.id],
  })
  assert.deepEqual(await counts(), [unread + 1, mentions], 'the invitation')
  const message = await ann.call('send_message', {
    channel_id: channel.id,
    body_markdown: '@Carol look',
  })
  await ann.call('send_message', { channel_id: channel.id, body_markdown: 'and this' })
  assert.deepEqual(await counts(), [unread + 3, mentions + 1])
  const page = await ann.call('create_page', { title: 'Shared', body_markdown: 'x' })
  await ann.call('share_page', { page_id: page.id, person_id: carol.id, role: 'viewer' })
  await ann.call('add_page_comment', {
    page_id: page.id,
    body_markdown: '@Carol what do you think?',
  })
  assert.deepEqual(await counts(), [unread + 5, mentions + 2])
  await carol.call('mark_channel_read', { channel_id: channel.id, up_to_message_id: message.id })
  assert.deepEqual(await counts(), [unread + 4, mentions + 1])
  await ann.call('unshare_page', { page_id: page.id, person_id: carol.id })
  await ann.call('remove_channel_member', { channel_id: channel.id, person_id: carol.id })
  assert.deepEqual(await counts(), [unread, mentions])
})

test('get_me lists only the projects that the caller belongs to', async () => {
  const { ann, bob, carol } = workspace
  const keys = async (who: typeof ann) =>
    (await who.call('get_me', { include: ['projects'] })).projects.map(
      (item: { key: string }) => item.key,
    )
  assert.deepEqual(await keys(ann), ['LFT', 'WRK'])
  assert.deepEqual(await keys(bob), ['WRK'])
  assert.deepEqual(await keys(carol), [])
})

test('a day with a clock change has its actual length', async () => {
  const { ann } = workspace
  await ann.call('create_task', {
    project_id: project,
    title: 'In spring',
    assignee_ids: [ann.id],
    due_at: iso(Date.UTC(2027, 2, 28, 21, 59)),
  })
  await ann.call('create_task', {
    project_id: project,
    title: 'Day after',
    assignee_ids: [ann.id],
    due_at: iso(Date.UTC(2027, 2, 28, 22, 0)),
  })
  assert.deepEqual(titles((await ann.call('get_my_agenda', { date: '2027-03-28' })).tasks_due), [
    'In spring',
  ])
})

test('a long list is truncated, and says so', async () => {
  const { bob } = workspace
  for (let i = 0; i < 101; i++)
    await bob.call('create_task', {
      project_id: project,
      title: `Many ${i}`,
      assignee_ids: [bob.id],
      due_at: iso(at(25, 8) + (i * hour) / 60),
    })
  const agenda = await bob.call('get_my_agenda', { date: '2026-11-25' })
  assert.equal(agenda.tasks_due.length, 100)
  assert.match(agenda.truncated.reason, /tasks_due/)
})

test('days outside 1 to 31, unknown time zones and invalid dates are refused', async () => {
  const { ann } = workspace
  for (const [name, value] of [
    ['days', 0],
    ['days', 32],
    ['timezone', 'Nowhere'],
    ['date', '2026-02-30'],
    ['date', '9999-12-31'],
  ] as const) {
    assert.equal((await ann.refused('get_my_agenda', { [name]: value })).more.field, name)
  }
  assert.equal(
    (await ann.refused('get_my_agenda', { date: '9990-12-31', days: 2 })).code,
    'invalid_argument',
  )
})
