import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keyOf, makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { plantEmail, plantMailbox } from '../../testing/mail/mailboxes.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Work', key: 'WRK', member_ids: [bob.id] })
})
after(() => workspace.close())

const sectionOf = (answer: any, kind: string) =>
  answer.sections.find((section: any) => section.kind === kind)

test('an empty workspace has nothing waiting', async () => {
  const kinds = ['mail', 'mentions', 'invitations', 'blocking_tasks', 'approvals']
  assert.deepEqual(await workspace.carol.call('get_waiting_for_me'), { sections: [], none: kinds })
})

test('questions by mail, mentions, invitations and tasks that block others come in one response', async () => {
  const { app, ann, bob, clock } = workspace
  const owner = { id: bob.id, org_id: bob.actor.org_id, email: bob.actor.email }
  const box = await plantMailbox(app.store, owner, clock.now())
  const from = { from: 'client@elsewhere.test', subject: 'Price of ten seats' }
  await plantEmail(box, { ...from, text: 'How much is it?' }, clock.now())
  const task = async (title: string, assignee: string) =>
    ann.call('create_task', { project_id: 'WRK', title, assignee_ids: [assignee] })
  const [mine, waits, done] = [
    await task('Sign the contract', bob.id),
    await task('Order the machine', ann.id),
    await task('Finished', bob.id),
  ]
  for (const blocker of [mine, done])
    await ann.call('add_task_dependency', {
      task_id: waits.key,
      other_task_id: blocker.key,
      type: 'blocked_by',
    })
  await bob.call('complete_task', { task_id: done.key })
  await ann.call('add_task_comment', { task_id: waits.key, body_markdown: '@Bob how far is it?' })
  const event = await ann.call('create_event', {
    title: 'Standup',
    starts_at: '2027-05-03T07:00:00Z',
    ends_at: '2027-05-03T07:15:00Z',
    rrule: 'FREQ=DAILY;COUNT=5',
    attendees: [bob.actor.email],
  })
  await ann.call('send_event_invites', { event_id: event.id })
  const answer = await bob.call('get_waiting_for_me')
  assert.deepEqual(answer.none, ['approvals'])
  const [mail] = sectionOf(answer, 'mail').items
  assert.deepEqual([mail.title, mail.trust], ['Price of ten seats', 'external'])
  assert.match(mail.waiting.join(), /client@elsewhere\.test/)
  const [mention] = sectionOf(answer, 'mentions').items
  assert.deepEqual([mention.key, mention.waiting], [waits.key, ['Ann']])
  const [invitation, ...others] = sectionOf(answer, 'invitations').items
  assert.deepEqual([invitation.title, others], ['Standup', []], 'one entry for the series')
  const [blocking, ...more] = sectionOf(answer, 'blocking_tasks').items
  assert.deepEqual([blocking.key, more], [mine.key, []])
  assert.deepEqual(blocking.waiting, [`${waits.key} Order the machine`])
  assert.equal(sectionOf(await ann.call('get_waiting_for_me'), 'blocking_tasks'), undefined)

  const listed = await bob.call('list_tasks', { blocking: true })
  assert.deepEqual(
    listed.items.map((row: any) => row.key),
    [mine.key],
  )
  const notBlocking = await bob.call('list_tasks', { blocking: false, assignee: 'me' })
  assert.ok(!notBlocking.items.some((row: any) => row.key === mine.key))
})

test('a truncated section says how to list all of it', async () => {
  const { ann, carol } = workspace
  await ann.call('add_project_member', { project_id: 'WRK', person_id: carol.id })
  for (const title of ['One', 'Two', 'Three']) {
    const { key } = await ann.call('create_task', { project_id: 'WRK', title })
    await ann.call('add_task_comment', { task_id: key, body_markdown: '@Carol please' })
  }
  const { sections } = await carol.call('get_waiting_for_me', { kinds: ['mentions'], limit: 2 })
  const [section] = sections
  assert.deepEqual([section.items.length, section.has_more], [2, true])
  const { items } = await carol.call(section.more.tool, section.more.arguments)
  assert.equal(items.length, 3)
})

test('a key sees only its modules', async () => {
  const { bob } = workspace
  const { id } = await workspace.key(bob)
  const key = keyOf({ id, name: 'tasks', toolsets: ['tasks', 'activity'] } as never)
  const { sections, none } = await bob.call('get_waiting_for_me', {}, { via: 'mcp', key })
  const kinds = [...sections.map((section: any) => section.kind), ...none]
  assert.deepEqual(kinds, ['blocking_tasks', 'approvals'])
})
