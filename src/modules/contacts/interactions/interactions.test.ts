import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { followMeetings } from './last-contact.ts'

let workspace: TestWorkspace
let guest: Someone
before(async () => {
  workspace = await makeWorkspace()
  guest = await workspace.person('Gus', { role: 'guest' })
})
after(() => workspace.close())

/** Runs the work that the server does shortly after each commit. */
async function runFollowMeetings(): Promise<void> {
  if (await followMeetings.due!(workspace.app.store.read))
    while (await runTick(workspace.app, followMeetings));
}

const createContact = (name: string, more: Record<string, unknown> = {}) =>
  workspace.ann.call('create_contact', { name, ...more })
const logInteraction = (
  contact_ids: string[],
  summary_markdown: string,
  more: Record<string, unknown> = {},
  who = workspace.ann,
) => who.call('log_interaction', { kind: 'call', contact_ids, summary_markdown, ...more })
const summariesOf = (page: { items: { summary_markdown: string }[] }) =>
  page.items.map((item) => item.summary_markdown.split('\n')[0])
const lastContactOf = async (contact_id: string) =>
  (await workspace.ann.call('get_contact', { contact_id })).last_contacted_at as string | undefined

async function holdMeeting(meeting_id: string): Promise<void> {
  for (const status of ['live', 'ended'])
    await workspace.ann.call('update_meeting', { meeting_id, status })
}

test('a call is logged with its people, their company and the deal, and moves the last contact date only forward', async () => {
  const { ann, bob } = workspace
  const company = await ann.call('create_company', { name: 'Logged' })
  const [one, two] = [
    await createContact('One', { company_id: company.id }),
    await createContact('Two', { company_id: company.id }),
  ]
  const deal = await ann.call('create_deal', { name: 'D', company_id: company.id })
  const interaction = await logInteraction(
    [one.id, two.id],
    'They like it',
    { occurred_at: '2026-11-19T10:00:00Z', deal_id: deal.id },
    bob,
  )
  assert.deepEqual(
    [
      interaction.kind,
      interaction.person.title,
      interaction.company.title,
      interaction.deal.title,
      interaction.trust,
      interaction.contacts.map((who: any) => who.title),
    ],
    ['call', 'Bob', 'Logged', 'D', 'internal', ['One', 'Two']],
  )
  await logInteraction([one.id], 'Earlier', { occurred_at: '2026-11-01' })
  assert.equal(await lastContactOf(one.id), '2026-11-19T10:00:00.000Z')
  assert.equal(
    (await ann.call('get_company', { company_id: company.id })).last_contacted_at,
    '2026-11-19T10:00:00.000Z',
  )
  assert.deepEqual(summariesOf(await ann.call('list_interactions', { contact_id: one.id })), [
    'They like it',
    'Earlier',
  ])
  assert.deepEqual(summariesOf(await ann.call('list_interactions', { contact_id: two.id })), [
    'They like it',
  ])
  assert.deepEqual(summariesOf(await ann.call('list_interactions', { deal_id: deal.id })), [
    'They like it',
  ])
  assert.deepEqual(
    summariesOf(
      await ann.call('list_interactions', { company_id: company.id, before: '2026-11-02' }),
    ),
    ['Earlier'],
  )
  assert.deepEqual(
    summariesOf(await ann.call('list_interactions', { company_id: company.id, kind: ['note'] })),
    [],
  )
  assert.deepEqual((await ann.call('get_contact', { contact_id: one.id })).interactions.length, 2)
})

test('a future, empty or contactless interaction is refused', async () => {
  const { ann } = workspace
  const { id } = await createContact('Nobody')
  const refused = (more: Record<string, unknown>) =>
    ann.refused('log_interaction', {
      kind: 'call',
      contact_ids: [id],
      summary_markdown: 'x',
      ...more,
    })
  assert.equal((await refused({ occurred_at: '2026-11-21' })).more.field, 'occurred_at')
  assert.equal((await refused({ contact_ids: [] })).code, 'invalid_argument')
  assert.equal((await refused({ summary_markdown: ' \n' })).code, 'invalid_argument')
  assert.equal((await refused({ next_step_due: '2026-12-01' })).more.field, 'next_step_due')
  assert.equal((await refused({ kind: 'email' })).code, 'invalid_argument')
  assert.equal(await lastContactOf(id), undefined)
})

test('a next step becomes a reminder for the person who logged it, and optionally a task', async () => {
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Steps', key: 'STP' })
  const { id } = await createContact('Step')
  const interaction = await logInteraction([id], 'Talked', {
    next_step: 'Send the offer',
    next_step_due: '2026-11-24',
  })
  assert.deepEqual(
    [
      interaction.next_step,
      interaction.next_step_due,
      interaction.reminder_at,
      interaction.next_step_task,
    ],
    ['Send the offer', '2026-11-24', '2026-11-24T08:00:00.000Z', undefined],
  )
  const [reminder] = (await ann.call('list_reminders', { item_id: id })).items
  assert.deepEqual(
    [reminder.text, reminder.remind_at],
    ['Send the offer', '2026-11-24T08:00:00.000Z'],
  )
  assert.equal(
    (await logInteraction([id], 'Today', { next_step: 'x', next_step_due: '2026-11-20' }))
      .reminder_at,
    '2026-11-20T16:00:00.000Z',
  )
  assert.equal(
    (await logInteraction([id], 'Long ago', { next_step: 'x', next_step_due: '2026-01-20' }))
      .reminder_at,
    undefined,
  )
  const task = await ann.call('create_task_from_source', {
    source_type: 'interaction',
    source_id: interaction.id,
    project_id: 'STP',
  })
  assert.deepEqual([task.title, task.source.id], ['Send the offer', interaction.id])
  const nextStepTask = async (who: Someone) =>
    (await who.call('list_interactions', { contact_id: id, kind: ['call'] })).items.find(
      (item: any) => item.id === interaction.id,
    ).next_step_task
  assert.equal((await nextStepTask(ann)).key, 'STP-1')
  assert.equal(await nextStepTask(bob), undefined, 'bob does not see the task')
  assert.deepEqual(
    (await ann.call('get_contact', { contact_id: id, include: ['tasks'] })).tasks.map(
      (item: any) => item.key,
    ),
    ['STP-1'],
  )
})

test('a key that may not set reminders logs the next step without one', async () => {
  const { ann } = workspace
  const { id } = await createContact('Keyed')
  const key = await workspace.key(ann, { toolsets: ['contacts'] })
  const interaction = await ann.call(
    'log_interaction',
    {
      kind: 'call',
      contact_ids: [id],
      summary_markdown: 'x',
      next_step: 'y',
      next_step_due: '2026-12-24',
    },
    { via: 'api', key: { ...key, toolsets: ['contacts'] } },
  )
  assert.deepEqual([interaction.next_step, interaction.reminder_at], ['y', undefined])
})

test('meetings with a contact are shown to people who can see them, once started', async () => {
  const { ann, bob, carol } = workspace
  const company = await ann.call('create_company', { name: 'Met' })
  const { id } = await createContact('Mel', { emails: ['Mel@Met.example'], company_id: company.id })
  const past = await ann.call('create_meeting', {
    title: 'Kick-off',
    starts_at: '2026-11-20T09:00:00Z',
    participants: [bob.id, 'Mel <mel@met.example>'],
    visibility: 'participants',
  })
  await holdMeeting(past.id)
  await ann.call('update_meeting', { meeting_id: past.id, notes_markdown: 'All is well' })
  await ann.call('create_meeting', {
    title: 'To come',
    starts_at: '2026-11-25T09:00:00Z',
    participants: ['mel@met.example'],
    visibility: 'organization',
  })
  await logInteraction([id], 'Called', { occurred_at: '2026-11-20T10:00:00Z' }, carol)
  const visibleSummaries = async (
    who: Someone,
    more: Record<string, unknown> = { contact_id: id },
  ) => summariesOf(await who.call('list_interactions', more))
  for (const more of [
    { contact_id: id },
    { contact_id: 'mel@met.example' },
    { company_id: company.id },
  ]) {
    assert.deepEqual(
      [
        await visibleSummaries(ann, more),
        await visibleSummaries(bob, more),
        await visibleSummaries(carol, more),
      ],
      [['Called', 'Kick-off'], ['Called', 'Kick-off'], ['Called']],
    )
  }
  assert.deepEqual(await visibleSummaries(bob, { contact_id: id, kind: ['meeting'] }), ['Kick-off'])
  assert.deepEqual(await visibleSummaries(carol, { kind: ['meeting'] }), [])
  assert.deepEqual(
    await visibleSummaries(bob, { kind: ['meeting'], after: '2026-11-20T00:00:00Z' }),
    ['Kick-off'],
  )
  const [meetingInteraction] = (
    await bob.call('list_interactions', { contact_id: id, kind: ['meeting'] })
  ).items
  assert.deepEqual(
    [
      meetingInteraction.source.id,
      meetingInteraction.person.title,
      meetingInteraction.company.title,
      meetingInteraction.contacts.map((contact: any) => contact.title),
      meetingInteraction.summary_markdown,
    ],
    [past.id, 'Ann', 'Met', ['Mel'], 'Kick-off\n\nAll is well'],
  )
  const first = await ann.call('list_interactions', { contact_id: id, limit: 1 })
  assert.deepEqual(
    summariesOf(
      await ann.call('list_interactions', { contact_id: id, limit: 1, cursor: first.next_cursor }),
    ),
    ['Kick-off'],
  )
})

test('the last contact date follows meetings, and moves back when the last one is undone', async () => {
  const { ann, clock } = workspace
  const { id } = await createContact('Follow', { emails: ['follow@met.example'] })
  const meeting = await ann.call('create_meeting', {
    title: 'M',
    starts_at: '2026-11-18T09:00:00Z',
    participants: ['follow@met.example'],
  })
  await runFollowMeetings()
  assert.equal(await lastContactOf(id), undefined, 'planned only')
  await holdMeeting(meeting.id)
  await runFollowMeetings()
  assert.equal(await lastContactOf(id), '2026-11-18T09:00:00.000Z')
  const key = await workspace.key(ann)
  clock.pass(hour)
  const { id: interactionId } = await ann.call(
    'log_interaction',
    {
      kind: 'note',
      contact_ids: [id],
      summary_markdown: 'x',
      next_step: 'Write',
      next_step_due: '2026-12-01',
    },
    { via: 'api', key },
  )
  assert.equal(await lastContactOf(id), new Date(clock.at).toISOString())
  assert.equal(
    (
      await ann.call('undo_api_call', {
        call_id: (await ann.call('list_api_calls', { limit: 1 })).items[0].id,
      })
    ).undone,
    true,
  )
  await runFollowMeetings()
  assert.equal(await lastContactOf(id), '2026-11-18T09:00:00.000Z')
  assert.deepEqual(
    [
      (await ann.call('list_interactions', { contact_id: id, kind: ['note'] })).items,
      (await ann.call('list_reminders', { item_id: id })).items,
    ],
    [[], []],
  )
  await ann.call('restore_item', { item_id: interactionId })
  await runFollowMeetings()
  assert.equal(await lastContactOf(id), new Date(clock.at).toISOString())
  assert.equal(await followMeetings.due!(workspace.app.store.read), false)
})

test('mentioned colleagues and the deal owner are notified', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await createContact('Told')
  const deal = await ann.call('create_deal', { name: 'Told', owner_id: bob.id })
  const interaction = await logInteraction([id], 'Please look, @Carol and @Gus', {
    deal_id: deal.id,
  })
  const received = async (who: Someone) =>
    (await who.call('list_notifications', { limit: 100 })).items
      .filter((item: any) => [interaction.id, deal.id].includes(item.item.id))
      .map((item: any) => item.text)
  assert.deepEqual(await received(carol), ['Ann mentioned you in a call with a contact'])
  assert.ok((await received(bob)).includes('Ann logged a call on your deal'))
  assert.deepEqual(await received(guest), [])
})

test('form responses of a contact are shown to people who may read the responses', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await createContact('Answerer', { emails: [carol.actor.email] })
  const form = await ann.call('create_form', {
    title: 'Survey',
    fields: [{ label: 'Why', type: 'long_text' }],
    settings: { responses_visible_to: 'owner_only', audience: 'organization' },
  })
  await ann.call('publish_form', { form_id: form.id })
  await carol.call('submit_form_response', {
    form_id: form.id,
    answers: { [form.fields[0].id]: 'Because' },
  })
  const forms = async (who: Someone) =>
    (await who.call('list_interactions', { contact_id: id, kind: ['form'] })).items
  assert.deepEqual(await forms(bob), [])
  const [formInteraction] = await forms(ann)
  assert.deepEqual(
    [
      formInteraction.kind,
      formInteraction.trust,
      formInteraction.contacts[0].title,
      formInteraction.source.type,
      formInteraction.summary_markdown,
    ],
    ['form', 'internal', 'Answerer', 'form_response', 'Survey\n\nWhy: Because'],
  )
})

test('guests and other organizations see no interactions, and guests cannot log any', async () => {
  const { eve } = workspace
  const { id } = await createContact('Private')
  await logInteraction([id], 'Secret')
  assert.equal((await guest.refused('list_interactions', { contact_id: id })).code, 'not_found')
  assert.equal(
    (
      await eve.refused('log_interaction', {
        kind: 'call',
        contact_ids: [id],
        summary_markdown: 'x',
      })
    ).code,
    'not_found',
  )
  assert.deepEqual(
    [(await guest.call('list_interactions')).items, (await eve.call('list_interactions')).items],
    [[], []],
  )
  assert.ok(
    (await workspace.bob.call('list_interactions', { after: '2020-01-01', limit: 100 })).items
      .length > 5,
  )
  workspace.clock.pass(dayLong)
})
