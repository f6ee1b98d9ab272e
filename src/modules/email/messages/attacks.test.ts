import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { setStatus } from '../../../identity/people.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import {
  plantEmail,
  plantMailbox,
  type GivenMail,
  type PlantedMailbox,
} from '../../../testing/mail/mailboxes.ts'
import { emailModule } from '../index.ts'
import { runEmailRules, sweepEmailRules, notifyAwaiting, wakeSnoozed } from '../ticks.ts'

let workspace: TestWorkspace
let boxes: Record<'ann' | 'bob', PlantedMailbox>

before(async () => {
  workspace = await makeWorkspace()
  const plantMailboxOf = (who: Someone) =>
    plantMailbox(
      workspace.app.store,
      { id: who.id, org_id: who.actor.org_id, email: who.actor.email },
      workspace.clock.now(),
      { folders: ['Receipts'] },
    )
  boxes = { ann: await plantMailboxOf(workspace.ann), bob: await plantMailboxOf(workspace.bob) }
})
after(() => workspace.close())

const mail = (whose: 'ann' | 'bob', mail: GivenMail = {}) =>
  plantEmail(boxes[whose], mail, workspace.clock.now())
const rows = (sql: string, ...values: unknown[]) =>
  workspace.app.store.raw.read.prepare(sql).all(...values) as Record<string, any>[]
const write = (sql: string, ...values: unknown[]) =>
  workspace.app.store.writer.run(
    async () => void workspace.app.store.raw.write.prepare(sql).run(...values),
  )
const setPersonStatus = ({ id }: Someone, status: 'active' | 'deactivated') =>
  setStatus(
    workspace.app.store,
    workspace.clock,
    rows('select * from users where id = ?', id)[0] as never,
    status,
  )
const placeOf = (id: string) => rows('select place from emails where id = ?', id)[0]!.place
const run = async (tick = runEmailRules) => {
  while (await runTick(workspace.app, tick));
}

test('unfinished actions of a deactivated person are not applied to an administrator’s mail', async () => {
  const { bob } = workspace
  const annsMail = await mail('ann', { subject: 'Old newsletter' })
  await mail('bob', { subject: 'Old newsletter' })
  await bob.call('create_email_rule', {
    name: 'Tidy',
    conditions: { all: [{ field: 'subject', op: 'contains', value: 'newsletter' }] },
    actions: [{ type: 'archive' }],
    apply_to_existing: true,
  })
  await setPersonStatus(bob, 'deactivated')
  await run(sweepEmailRules)
  assert.equal(placeOf(annsMail.id), 'inbox')
  await setPersonStatus(bob, 'active')
})

test('a deactivated person’s mailbox is not synced on behalf of someone else', async () => {
  const { bob } = workspace
  const plantedMail = await mail('bob')
  await bob.call('mark_emails_read', { email_ids: [plantedMail.id] })
  await setPersonStatus(bob, 'deactivated')
  await run(emailModule.ticks!.find((tick) => tick.name === 'carry_mail')!)
  assert.deepEqual(
    rows(
      "select owner_id from jobs where kind = 'sync_mail' and unique_key = ?",
      boxes.bob.account.id,
    ),
    [],
  )
  await setPersonStatus(bob, 'active')
  await write("delete from jobs where kind = 'sync_mail'")
})

test('a message on which a rule fails does not block the others', async () => {
  const { ann } = workspace
  const rule = await ann.call('create_email_rule', {
    name: 'Star',
    conditions: { all: [{ field: 'subject', op: 'contains', value: 'news' }] },
    actions: [{ type: 'star' }],
  })
  const [bad, good] = [
    await mail('ann', { subject: 'news 1', news: true }),
    await mail('ann', { subject: 'news 2', news: true }),
  ]
  await write("update emails set addresses_json = 'broken' where id = ?", bad.id)
  await run()
  assert.equal(rows('select starred from emails where id = ?', good.id)[0]!.starred, 1)
  assert.deepEqual(rows('select email_id from email_rule_queue'), [])
  await write("update emails set addresses_json = '{}' where id = ?", bad.id)
  await ann.call('delete_email_rule', { rule_id: rule.id })
})

test('a held email is sent as requested: a holding key cannot change its template without approval', async () => {
  const { ann } = workspace
  const template = await ann.call('create_email_template', {
    name: 'Offer',
    subject: 'Our offer',
    body_markdown: 'It costs 10.',
  })
  const key = await workspace.key(ann, { hold_outbound: true })
  const refusalCode = async (tool: string, args: object) =>
    ann.call(tool, args as Record<string, unknown>, { key, via: 'mcp' }).then(
      () => undefined,
      (error: { code: string }) => error.code,
    )
  assert.equal(
    await refusalCode('send_email', {
      to: ['kim@customer.test'],
      subject: '',
      body_markdown: '',
      template_id: template.id,
    }),
    'approval_required',
  )
  assert.equal(
    await refusalCode('update_email_template', {
      template_id: template.id,
      body_markdown: 'Click https://evil.test',
    }),
    'approval_required',
  )
  assert.equal(
    rows('select body_markdown from email_templates where id = ?', template.id)[0]!.body_markdown,
    'It costs 10.',
  )
  assert.equal(
    await refusalCode('update_email_template', { template_id: template.id, name: 'An offer' }),
    undefined,
  )
})

test('a held email is sent with the files of the original request', async () => {
  const { ann, bob } = workspace
  const key = await workspace.key(ann, { hold_outbound: true })
  const refusalCode = async (tool: string, args: object) =>
    ann.call(tool, args as Record<string, unknown>, { key, via: 'mcp' }).then(
      () => undefined,
      (error: { code: string }) => error.code,
    )
  const [sent, drafted, other] = [
    await ann.call('upload_file', { name: 'offer.txt', content_text: '10' }),
    await ann.call('upload_file', { name: 'terms.txt', content_text: 'fair' }),
    await ann.call('upload_file', { name: 'notes.txt', content_text: 'mine' }),
  ]
  assert.equal(
    await refusalCode('send_email', {
      to: ['kim@customer.test'],
      subject: 'Offer',
      body_markdown: 'See there.',
      attachment_file_ids: [sent.id],
    }),
    'approval_required',
  )
  const draft = await ann.call('create_email_draft', {
    to: ['kim@customer.test'],
    subject: 'Terms',
    body_markdown: 'x',
    attachment_file_ids: [drafted.id],
  })
  assert.equal(await refusalCode('send_email_draft', { draft_id: draft.id }), 'approval_required')
  for (const file of [sent, drafted])
    assert.equal(
      await refusalCode('update_file_content', {
        file_id: file.id,
        content_text: 'bank details of somebody else',
      }),
      'approval_required',
      file.name,
    )
  assert.equal(
    await refusalCode('update_file_content', { file_id: other.id, content_text: 'yours' }),
    undefined,
  )
  await ann.call('update_file_content', { file_id: sent.id, content_text: '12' })
  assert.equal((await bob.refused('get_file', { file_id: sent.id })).code, 'not_found')
})

test('removing an account hides all its mail at once, before a job erases it', async () => {
  const { ann } = workspace
  const plantedMail = await mail('ann', {
    subject: 'Zeppelin',
    text: 'Zeppelin over the lake',
    attachments: [{ name: 'zeppelin.txt', text: 'zeppelin' }],
  })
  const draft = await ann.call('create_email_draft', {
    reply_to_email_id: plantedMail.id,
    body_markdown: 'Yes.',
  })
  await write(
    "update mail_threads set awaiting = 'me', waiting_since = ?, snoozed_until = null where id = ?",
    workspace.clock.now() - 2 * 86_400_000,
    plantedMail.thread_id,
  )
  await write('update accounts set created_at = 0 where id = ?', boxes.ann.account.id)
  const other = await mail('ann', { subject: 'Snoozed' })
  await ann.call('snooze_email', {
    thread_id: other.thread_id,
    until: new Date(workspace.clock.now() + 60_000).toISOString(),
  })
  const rule = await ann.call('create_email_rule', {
    name: 'Mine',
    account_id: boxes.ann.account.id,
    conditions: { all: [{ field: 'subject', op: 'contains', value: 'x' }] },
    actions: [{ type: 'archive' }],
  })
  await write(
    "update accounts set removed_at = ?, is_default = 0, status = 'disabled' where id = ?",
    workspace.clock.now(),
    boxes.ann.account.id,
  )
  const refusalCode = async (tool: string, args: object) =>
    (await ann.refused(tool, args as Record<string, unknown>)).code
  assert.equal(await refusalCode('get_email', { email_id: plantedMail.id }), 'not_found')
  assert.equal(
    await refusalCode('get_email_thread', { thread_id: plantedMail.thread_id }),
    'not_found',
  )
  assert.equal(
    await refusalCode('get_email_attachment', { attachment_id: plantedMail.attachments[0]! }),
    'not_found',
  )
  assert.equal(
    await refusalCode('update_email_draft', { draft_id: draft.id, subject: 'x' }),
    'not_found',
  )
  assert.equal(
    await refusalCode('update_email_rule', { rule_id: rule.id, enabled: false }),
    'not_found',
  )
  assert.equal(await refusalCode('trash_emails', { email_ids: [plantedMail.id] }), 'not_found')
  assert.deepEqual((await ann.call('list_emails')).items, [])
  assert.deepEqual((await ann.call('list_email_threads')).items, [])
  assert.deepEqual((await ann.call('list_email_drafts')).items, [])
  assert.deepEqual((await ann.call('search_emails', { query: 'zeppelin' })).items, [])
  assert.deepEqual((await ann.call('get_my_agenda')).threads_awaiting_me, [])
  workspace.clock.pass(120_000)
  await run(wakeSnoozed)
  await run(notifyAwaiting)
  assert.deepEqual(
    rows(
      'select id from notifications where item_id in (?, ?)',
      plantedMail.thread_id,
      other.thread_id,
    ),
    [],
  )
  await write(
    "update accounts set removed_at = null, status = 'active' where id = ?",
    boxes.ann.account.id,
  )
})

test('scheduled mail of a deactivated person is not sent, then or later, and blocks no one else', async () => {
  const { bob, ann } = workspace
  const later = new Date(workspace.clock.now() + 60_000).toISOString()
  const scheduled = await bob.call('schedule_email', {
    send_at: later,
    to: ['kim@customer.test'],
    subject: 'Late',
    body_markdown: 'x',
  })
  const anns = await ann.call('schedule_email', {
    send_at: later,
    to: ['kim@customer.test'],
    subject: 'Late, too',
    body_markdown: 'x',
  })
  await setPersonStatus(bob, 'deactivated')
  workspace.clock.pass(120_000)
  const { role } = rows('select role from users where id = ?', ann.id)[0]!
  await write("update users set role = 'member' where id = ?", ann.id) // no administrator is left to act for others
  await run(emailModule.ticks!.find((tick) => tick.name === 'ask_scheduled_emails')!)
  await write('update users set role = ? where id = ?', role, ann.id)
  assert.deepEqual(
    rows("select unique_key from jobs where kind = 'send_scheduled_email'").map(
      (row) => row.unique_key,
    ),
    [anns.id],
  )
  await setPersonStatus(bob, 'active')
  assert.equal(
    rows('select status from scheduled_emails where id = ?', scheduled.id)[0]!.status,
    'failed',
  )
  assert.equal(
    (await bob.call('update_email_draft', { draft_id: scheduled.draft.id, subject: 'Sooner' }))
      .state,
    'draft',
  )
})

test('the organization’s call log does not reveal recipients, subjects or searches', async () => {
  const { ann } = workspace
  const plantedMail = await mail('ann', { from: 'doctor@clinic.test', subject: 'Findings' })
  const letter = { to: ['doctor@clinic.test'], subject: 'Biopsy', body_markdown: 'When?' }
  await ann.call('send_email', letter)
  const draft = await ann.call('create_email_draft', letter)
  await ann.call('update_email_draft', { draft_id: draft.id, subject: 'Biopsy again' })
  await ann.call('schedule_email', {
    ...letter,
    send_at: new Date(workspace.clock.now() + 3_600_000).toISOString(),
  })
  await ann.call('forward_email', {
    email_id: plantedMail.id,
    to: letter.to,
    cc: ['other@clinic.test'],
  })
  await ann.call('reply_to_email', {
    email_id: plantedMail.id,
    body_markdown: 'Yes.',
    add_cc: ['other@clinic.test'],
  })
  await ann.call('search_emails', { query: 'biopsy', from: 'clinic.test', subject: 'biopsy' })
  await ann.call('list_emails', { from: 'doctor@clinic.test', to: 'clinic' })
  await ann.call('archive_emails', { query: 'biopsy' })
  const received = rows(
    "select tool, details_json from calls where details_json like '%clinic%' or details_json like '%biopsy%' or details_json like '%doctor%'",
  )
  assert.deepEqual(received, [])
})
