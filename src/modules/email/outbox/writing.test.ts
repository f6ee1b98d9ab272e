import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { Queue } from '../../../jobs/queue.ts'
import { connectAccount } from '../../../testing/mail/accounts.ts'
import { dayLong, hour, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { plantEmail, plantMailbox, type PlantedMailbox } from '../../../testing/mail/mailboxes.ts'
import { startReceiver } from '../../../testing/servers/receiver.ts'
import { emailModule } from '../index.ts'

let workspace: TestWorkspace
let mailbox: PlantedMailbox
let receiver: Awaited<ReturnType<typeof startReceiver>>

before(async () => {
  receiver = await startReceiver(() => ({}))
  workspace = await makeWorkspace({
    settings: { outbound_allow: receiver.opening, mail_daily_limit: 40 },
  })
  const { ann, app, clock } = workspace
  mailbox = await plantMailbox(
    app.store,
    { id: ann.id, org_id: ann.actor.org_id, email: ann.actor.email },
    clock.now(),
  )
})
after(async () => {
  await workspace.close()
  await receiver.close()
})

const rows = <T = Record<string, any>>(sql: string, ...values: unknown[]) =>
  workspace.app.store.raw.read.prepare(sql).all(...values) as T[]
const plantMail = (mail: Parameters<typeof plantEmail>[1]) =>
  plantEmail(mailbox, mail, workspace.clock.now())
const count = (table: string) => rows<{ n: number }>(`select count(*) as n from ${table}`)[0]!.n

/** Runs the server's background work for scheduled messages. */
async function sendDueMessages(): Promise<void> {
  for (const tick of emailModule.ticks!.filter((item) => item.name === 'ask_scheduled_emails'))
    while (await runTick(workspace.app, tick));
  const queue = new Queue(workspace.app, { random: () => 0 })
  await queue.drain()
}

test('without an account no mail can be written, and the refusal says what to do', async () => {
  const refused = await workspace.carol.refused('send_email', {
    to: ['x@y.test'],
    subject: 'x',
    body_markdown: 'x',
  })
  assert.deepEqual(
    [refused.code, /connect one/i.test(refused.body().message)],
    ['not_connected', true],
  )
  assert.equal(
    (await workspace.carol.refused('create_email_draft', { subject: 'x' })).code,
    'not_connected',
  )
})

test('a dry run shows everything that would be sent and stores nothing; warnings point out possible mistakes', async () => {
  const before = [count('emails'), count('email_outbox'), count('jobs')]
  const dryRun = await workspace.ann.call('send_email', {
    to: ['Bob <bob@acme.test>', 'kim@customer.test', 'BOB@acme.test'],
    subject: '',
    body_markdown: 'Attached are **numbers**.',
    dry_run: true,
  })
  assert.deepEqual(
    dryRun.to.map((item: any) => [item.email, item.person?.title]),
    [
      ['bob@acme.test', 'Bob'],
      ['kim@customer.test', undefined],
    ],
  )
  assert.match(dryRun.outgoing.html, /<strong>numbers<\/strong>/)
  assert.equal(dryRun.outgoing.text, 'Attached are **numbers**.\n')
  assert.deepEqual(dryRun.warnings, [
    'It has recipients outside the organization: kim@customer.test.',
    'It mentions an attachment, but nothing is attached.',
    'It has no subject.',
  ])
  assert.deepEqual([count('emails'), count('email_outbox'), count('jobs')], before)
})

test('a draft keeps its content; a reply gets its recipients and subject automatically, and revisions are checked', async () => {
  const { ann } = workspace
  const mail = await plantMail({
    from: 'kim@customer.test',
    fromName: 'Kim',
    cc: ['lee@customer.test', 'ann@acme.test'],
    subject: 'AW: Offer',
    text: 'When?',
  })
  const draft = await ann.call('create_email_draft', {
    reply_to_email_id: mail.id,
    reply_all: true,
    body_markdown: 'Soon.',
  })
  assert.deepEqual(
    [
      draft.subject,
      draft.to.map((item: any) => item.email),
      draft.cc.map((item: any) => item.email),
      draft.thread_id,
      draft.in_reply_to,
      draft.state,
    ],
    ['Re: Offer', ['kim@customer.test'], ['lee@customer.test'], mail.thread_id, mail.id, 'draft'],
  )
  assert.deepEqual(rows('select kind, wanted_json from mail_pushes where draft_id = ?', draft.id), [
    { kind: 'draft', wanted_json: '{}' },
  ])
  const changed = await ann.call('update_email_draft', {
    draft_id: draft.id,
    cc: [],
    body_markdown: 'Tomorrow.',
    expected_revision: draft.revision,
  })
  assert.deepEqual([changed.cc, changed.body_markdown], [[], 'Tomorrow.'])
  assert.equal(
    (
      await ann.refused('update_email_draft', {
        draft_id: draft.id,
        subject: 'x',
        expected_revision: draft.revision,
      })
    ).code,
    'conflict',
  )
  assert.equal(
    (
      await ann.refused('send_email_draft', {
        draft_id: draft.id,
        expected_revision: draft.revision,
      })
    ).code,
    'conflict',
  )
  assert.deepEqual(
    (await ann.call('list_email_drafts', { thread_id: mail.thread_id })).items.map(
      (item: any) => item.id,
    ),
    [draft.id],
  )
  assert.equal(
    (await workspace.bob.refused('update_email_draft', { draft_id: draft.id, subject: 'x' })).code,
    'not_found',
  )
  const before = count('email_outbox')
  const preview = await ann.call('send_email_draft', { draft_id: draft.id, dry_run: true })
  assert.match(preview.outgoing.text, /> When\?/)
  assert.equal(count('email_outbox'), before, 'a dry run sends nothing, and the draft stays')
  const sent = await ann.call('send_email_draft', { draft_id: draft.id })
  assert.equal(sent.thread_id, mail.thread_id)
  const letter = JSON.parse(
    rows('select letter_json from email_outbox where email_id = ?', sent.id)[0]!.letter_json,
  )
  assert.deepEqual(
    [letter.in_reply_to, letter.quote.messages[0].markdown],
    [rows('select message_id from emails where id = ?', mail.id)[0]!.message_id, 'When?'],
  )
  assert.deepEqual((await ann.call('list_email_drafts', { thread_id: mail.thread_id })).items, [])
  assert.deepEqual(rows('select wanted_json from mail_pushes where draft_id = ?', draft.id), [
    { wanted_json: '{"remove":true}' },
  ])
  assert.equal(
    (await ann.refused('send_email_draft', { draft_id: draft.id })).code,
    'permission_denied',
  )
})

test('a discarded draft goes to the trash and can be restored', async () => {
  const { ann } = workspace
  const draft = await ann.call('create_email_draft', {
    to: ['bob@acme.test'],
    subject: 'Maybe',
    body_markdown: 'x',
  })
  await ann.call('delete_email_draft', { draft_id: draft.id })
  assert.equal((await ann.refused('send_email_draft', { draft_id: draft.id })).code, 'not_found')
  assert.deepEqual(rows('select wanted_json from mail_pushes where draft_id = ?', draft.id), [
    { wanted_json: '{"remove":true}' },
  ])
  await ann.call('restore_item', { item_id: draft.id })
  assert.deepEqual(rows('select wanted_json from mail_pushes where draft_id = ?', draft.id), [
    { wanted_json: '{}' },
  ])
  await ann.call('delete_email_draft', { draft_id: draft.id })
})

test('attachments are files visible to the sender, with a total size limit', async () => {
  const { ann, bob } = workspace
  const attachedFile = await ann.call('upload_file', { name: 'plan.txt', content_text: 'plan' })
  const foreign = await bob.call('upload_file', { name: 'secret.txt', content_text: 'secret' })
  const draft = await ann.call('create_email_draft', {
    to: ['bob@acme.test'],
    subject: 'Plan',
    body_markdown: 'Attached.',
    attachment_file_ids: [attachedFile.id],
  })
  assert.deepEqual(
    [draft.attachment_files.map((attachmentFile: any) => attachmentFile.title), draft.warnings],
    [['plan.txt'], []],
  )
  assert.equal(
    (
      await ann.refused('send_email', {
        to: ['bob@acme.test'],
        subject: 'x',
        body_markdown: 'x',
        attachment_file_ids: [foreign.id],
      })
    ).code,
    'not_found',
  )
  const emptied = await ann.call('update_email_draft', {
    draft_id: draft.id,
    attachment_file_ids: [],
  })
  assert.deepEqual([emptied.attachment_files, emptied.warnings.length], [[], 1])
  const large = await Promise.all(
    [1, 2, 3].map((i) => ann.call('upload_file', { name: `large${i}.txt`, content_text: `${i}` })),
  )
  workspace.app.store.raw.write
    .prepare('update files set size_bytes = ? where id in (?, ?, ?)')
    .run(9 * 2 ** 20, ...large.map((item) => item.id))
  assert.equal(
    (
      await ann.refused('send_email', {
        to: ['bob@acme.test'],
        subject: 'x',
        body_markdown: 'x',
        attachment_file_ids: large.map((item) => item.id),
      })
    ).code,
    'too_large',
  )
})

test('templates are filled in; a missing value blocks sending and is shown in a draft', async () => {
  const { ann, bob, eve } = workspace
  const template = await ann.call('create_email_template', {
    name: 'Welcome',
    subject: 'Hello {{first_name}}',
    body_markdown: 'Dear {{first_name}}, {{greeting | upcase}}',
    shared: true,
  })
  assert.deepEqual(template.variables, ['first_name', 'greeting'])
  assert.equal(
    (
      await ann.refused('create_email_template', {
        name: 'x',
        subject: 'x',
        body_markdown: '{% include "/etc/passwd" %}',
      })
    ).code,
    'invalid_argument',
  )
  assert.deepEqual(
    (await bob.call('list_email_templates', { query: 'welc' })).items.map((item: any) => item.id),
    [template.id],
  )
  assert.deepEqual((await eve.call('list_email_templates')).items, [])
  assert.equal(
    (await bob.refused('update_email_template', { template_id: template.id, name: 'x' })).code,
    'permission_denied',
  )
  const args = { to: ['bob@acme.test'], subject: '', body_markdown: '', template_id: template.id }
  const refused = await ann.refused('send_email', { ...args, variables: { first_name: 'Bob' } })
  assert.deepEqual([refused.code, /greeting/.test(refused.message)], ['invalid_argument', true])
  const tried = await ann.call('send_email', {
    ...args,
    variables: { first_name: 'Bob\r\nBcc: eve@evil.test', greeting: 'hi {{first_name}}' },
    dry_run: true,
  })
  assert.deepEqual(
    [tried.subject, tried.outgoing.text],
    ['Hello Bob Bcc: eve@evil.test', 'Dear Bob\nBcc: eve@evil.test, HI {{FIRST_NAME}}\n'],
  )
  const draft = await ann.call('create_email_draft', {
    to: ['bob@acme.test'],
    template_id: template.id,
    variables: { first_name: 'Bob' },
  })
  assert.deepEqual(
    [draft.subject, draft.warnings],
    ['Hello Bob', ['Variables without a value: greeting.']],
  )
  assert.equal(
    (await ann.refused('send_email_draft', { draft_id: draft.id })).code,
    'invalid_argument',
  )
  await ann.call('update_email_template', { template_id: template.id, retired: true })
  assert.equal(
    (await ann.refused('send_email', { ...args, variables: {} })).code,
    'invalid_argument',
  )
  await ann.call('delete_email_draft', { draft_id: draft.id })
})

test('a scheduled message is sent on time, once, and can be cancelled until then', async () => {
  const { ann, clock } = workspace
  assert.equal(
    (
      await ann.refused('schedule_email', {
        send_at: '2020-01-01T00:00:00Z',
        to: ['bob@acme.test'],
        subject: 'x',
        body_markdown: 'x',
      })
    ).code,
    'invalid_argument',
  )
  const soon = new Date(clock.now() + hour).toISOString()
  const first = await ann.call('schedule_email', {
    send_at: soon,
    to: ['bob@acme.test'],
    subject: 'Later',
    body_markdown: 'x',
  })
  const second = await ann.call('schedule_email', {
    send_at: soon,
    to: ['bob@acme.test'],
    subject: 'Never',
    body_markdown: 'x',
  })
  assert.deepEqual([first.status, first.draft.state], ['queued', 'scheduled'])
  assert.equal(
    (await ann.refused('update_email_draft', { draft_id: first.draft.id, body_markdown: 'other' }))
      .code,
    'permission_denied',
  )
  const cancelled = await ann.call('cancel_scheduled_email', { scheduled_id: second.id })
  assert.deepEqual([cancelled.id, cancelled.state], [second.draft.id, 'draft'])
  await sendDueMessages()
  assert.equal(rows("select id from emails where subject in ('Later', 'Never')").length, 0)
  clock.pass(hour)
  await sendDueMessages()
  await sendDueMessages()
  assert.deepEqual(
    rows("select subject, delivery from emails where subject in ('Later', 'Never')"),
    [{ subject: 'Later', delivery: 'sending' }],
  )
  assert.equal(
    rows('select status from scheduled_emails where id = ?', first.id)[0]!.status,
    'sending',
  )
  assert.equal(
    (await ann.refused('cancel_scheduled_email', { scheduled_id: first.id })).code,
    'permission_denied',
  )
  await ann.call('delete_email_draft', { draft_id: cancelled.id })
})

test('a reply before that time cancels it, if requested', async () => {
  const { ann, clock } = workspace
  const mail = await plantMail({ from: 'kim@customer.test', subject: 'Contract' })
  const draft = await ann.call('create_email_draft', {
    reply_to_email_id: mail.id,
    body_markdown: 'Have you seen it?',
  })
  const waiting = await ann.call('schedule_email', {
    draft_id: draft.id,
    send_at: new Date(clock.now() + hour).toISOString(),
    cancel_if_replied: true,
  })
  clock.pass(hour / 2)
  await plantMail({
    from: 'kim@customer.test',
    subject: 'Re: Contract',
    thread: mail.thread_id,
    at: clock.now(),
  })
  clock.pass(hour)
  await sendDueMessages()
  assert.deepEqual(rows('select status, problem from scheduled_emails where id = ?', waiting.id), [
    { status: 'cancelled', problem: 'Someone has already replied.' },
  ])
  assert.equal(
    (await ann.call('list_email_drafts', { thread_id: mail.thread_id })).items[0].state,
    'draft',
  )
  assert.equal(
    rows("select count(*) as n from notifications where text like '%someone has replied%'")[0]!.n,
    1,
  )
})

test('scheduled mail is not sent once its key has ended or lost the right to send on its own', async () => {
  const { ann, app, clock } = workspace
  const revokedKey = await workspace.key(ann)
  const outboundKey = await workspace.key(ann)
  const at = new Date(clock.now() + hour).toISOString()
  const args = { send_at: at, to: ['bob@acme.test'], subject: 'By key', body_markdown: 'x' }
  const item = await ann.call('schedule_email', args, { via: 'mcp', key: revokedKey })
  const two = await ann.call('schedule_email', args, { via: 'mcp', key: outboundKey })
  app.store.raw.write
    .prepare('update api_keys set revoked_at = ? where id = ?')
    .run(clock.now(), revokedKey.id)
  app.store.raw.write
    .prepare('update api_keys set hold_outbound = 1 where id = ?')
    .run(outboundKey.id)
  clock.pass(hour)
  await sendDueMessages()
  const problems = rows<{ status: string; problem: string }>(
    'select status, problem from scheduled_emails where id in (?, ?) order by id',
    item.id,
    two.id,
  )
  assert.deepEqual(
    problems.map((row) => row.status),
    ['failed', 'failed'],
  )
  assert.match(problems[0]!.problem, /no longer valid/)
  assert.match(problems[1]!.problem, /may no longer send without approval/)
  assert.equal(rows("select count(*) as n from emails where subject = 'By key'")[0]!.n, 0)
})

test('with a key that holds outbound actions all sending waits, but drafts do not', async () => {
  const { ann, clock } = workspace
  const key = await workspace.key(ann, { hold_outbound: true })
  const mail = await plantMail({ from: 'kim@customer.test', subject: 'Held' })
  const outcomeCode = async (tool: string, args: Record<string, unknown>) =>
    ann.call(tool, args, { via: 'mcp', key }).then(
      () => 'done',
      (error) => error.code,
    )
  const to = ['bob@acme.test']
  const draft = await ann.call(
    'create_email_draft',
    { to, subject: 'Held', body_markdown: 'x' },
    { via: 'mcp', key },
  )
  assert.deepEqual(
    [
      await outcomeCode('send_email', { to, subject: 'x', body_markdown: 'x' }),
      await outcomeCode('reply_to_email', { email_id: mail.id, body_markdown: 'x' }),
      await outcomeCode('forward_email', { email_id: mail.id, to }),
      await outcomeCode('send_email_draft', { draft_id: draft.id }),
      await outcomeCode('schedule_email', {
        send_at: new Date(clock.now() + dayLong).toISOString(),
        draft_id: draft.id,
      }),
    ],
    Array(5).fill('approval_required'),
  )
  assert.equal(
    rows('select count(*) as n from scheduled_emails where draft_id = ?', draft.id)[0]!.n,
    0,
  )
  assert.equal(
    await outcomeCode('update_email_draft', {
      draft_id: draft.id,
      body_markdown: 'something else',
    }),
    'approval_required',
    'a draft awaiting approval cannot be changed without approval',
  )
  const file = await ann.call('upload_file', { name: 'late.txt', content_text: 'late' })
  assert.equal(
    await outcomeCode('update_email_draft', { draft_id: draft.id, attachment_file_ids: [file.id] }),
    'conflict',
  )
  await ann.call('delete_email_draft', { draft_id: draft.id })
})

test('one-click unsubscribe is used if the sender’s signature is valid, mail otherwise; a plain link is left to the person', async () => {
  const { ann, app } = workspace
  const setUnsubscribeInfo = (id: string, unsubscribe: object, dkim: string) =>
    app.store.raw.write
      .prepare('update emails set unsubscribe_json = ?, authentication_json = ? where id = ?')
      .run(JSON.stringify(unsubscribe), JSON.stringify({ dkim }), id)
  const news = await plantMail({ from: 'news@letters.test', subject: 'News', bulk: true })
  const more = await plantMail({ from: 'news@letters.test', subject: 'More news', bulk: true })
  setUnsubscribeInfo(news.id, { url: 'https://letters.test/u?x=1', one_click: true }, 'fail')
  const link = await ann.refused('unsubscribe_from_sender', { email_id: news.id })
  assert.deepEqual([link.code, link.more.context!.link], ['conflict', 'https://letters.test/u?x=1'])
  setUnsubscribeInfo(
    news.id,
    {
      url: 'https://letters.test/u?x=1',
      mailto: 'mailto:leave@letters.test?subject=out%0d%0aBcc:%20eve@evil.test',
      one_click: true,
    },
    'fail',
  )
  setUnsubscribeInfo(more.id, { mailto: 'mailto:leave@letters.test' }, 'fail')
  const result = await ann.call('unsubscribe_from_sender', {
    email_id: news.id,
    archive_existing: true,
  })
  assert.deepEqual(
    [result.by, result.to, result.status],
    ['mail', 'leave@letters.test', 'requested'],
  )
  assert.deepEqual(
    [result.changed, result.items.map((item: any) => item.id).toSorted()],
    [3, [news.id, more.id].toSorted()],
  )
  const letter = JSON.parse(
    rows('select letter_json from email_outbox order by rowid desc limit 1')[0]!.letter_json,
  )
  assert.deepEqual(
    [letter.to, letter.subject],
    [[{ email: 'leave@letters.test' }], 'out Bcc: eve@evil.test'],
  )
  assert.deepEqual((await ann.call('unsubscribe_from_sender', { email_id: news.id })).skipped, [
    { id: news.id, reason: 'already_unsubscribed' },
  ])
  assert.deepEqual(
    rows("select place from emails where from_email = 'news@letters.test'").map((row) => row.place),
    ['archive', 'archive'],
  )
  setUnsubscribeInfo(
    more.id,
    { url: `https://${receiver.opening}/leave?x=1`, one_click: true },
    'pass',
  )
  await ann.call('unsubscribe_from_sender', { email_id: more.id })
  for (let i = 0; i < 6; i++) {
    await new Queue(app, { random: () => 0 }).drain()
    workspace.clock.wait(dayLong)
  }
  assert.equal(
    rows("select count(*) as n from notifications where text like 'Unsubscribing failed:%'")[0]!.n,
    1,
    'nothing is sent to a server without TLS, and the owner is notified',
  )
  assert.deepEqual(receiver.received, [])
  const nothing = await plantMail({ from: 'x@y.test' })
  assert.equal(
    (await ann.refused('unsubscribe_from_sender', { email_id: nothing.id })).code,
    'conflict',
  )
})

test('unsubscribing archives the newsletter but no other mail of its sender, and supports a dry run', async () => {
  const { ann, app } = workspace
  const news = { mailto: 'mailto:leave@shop.test' }
  const plantNewsletter = async (subject: string, list: string | undefined, leaving: unknown) => {
    const mail = await plantMail({
      from: 'shop@shop.test',
      subject,
      headers: list === undefined ? [] : [{ name: 'List-Id', value: list }],
    })
    app.store.raw.write
      .prepare('update emails set unsubscribe_json = ? where id = ?')
      .run(leaving === undefined ? null : JSON.stringify(leaving), mail.id)
    return mail.id
  }
  const first = await plantNewsletter('News 1', 'News <news.shop.test>', news)
  const second = await plantNewsletter('News 2', '"The news" <NEWS.shop.test>', news)
  await plantNewsletter('Invoice: please pay', undefined, undefined)
  await plantNewsletter('Alert: disk full', undefined, news)
  await plantNewsletter('Offers', 'Offers <offers.shop.test>', news)
  const inbox = () =>
    rows("select subject from emails where from_email = 'shop@shop.test' and place = 'inbox'")
      .map((row) => row.subject)
      .toSorted()
  const sent = () => rows('select count(*) as n from email_outbox')[0]!.n
  const [before, outgoing] = [inbox(), sent()]
  const tried = await ann.call('unsubscribe_from_sender', {
    email_id: first,
    archive_existing: true,
    dry_run: true,
  })
  assert.deepEqual(
    [tried.dry_run, tried.by, tried.to, tried.items.map((item: any) => item.id)],
    [true, 'mail', 'leave@shop.test', [first, second]],
  )
  assert.deepEqual([inbox(), sent()], [before, outgoing])
  const done = await ann.call('unsubscribe_from_sender', {
    email_id: first,
    archive_existing: true,
  })
  assert.deepEqual([done.status, done.changed, done.more], ['requested', 3, undefined])
  assert.match(done.note, /a notification says if it comes back/)
  assert.deepEqual(inbox(), ['Alert: disk full', 'Invoice: please pay', 'Offers'])
  const again = await ann.call('unsubscribe_from_sender', { email_id: first })
  assert.deepEqual([again.status, again.changed], ['requested_before', 0])
  workspace.clock.pass(dayLong)
})

test('a second draft for a conversation names the first one', async () => {
  const { ann } = workspace
  const mail = await plantMail({ from: 'kim@customer.test', subject: 'Logo' })
  const other = await plantMail({ from: 'kim@customer.test', subject: 'Colors' })
  const write = (email_id: string) =>
    ann.call('create_email_draft', { reply_to_email_id: email_id, body_markdown: 'Yes.' })
  const first = await write(mail.id)
  assert.ok(!first.warnings.some((text: string) => /another draft/.test(text)))
  const second = await write(mail.id)
  assert.match(second.warnings.join(' '), new RegExp(`another draft: ${first.id}`))
  assert.ok(!(await write(other.id)).warnings.some((text: string) => /another/.test(text)))
  await ann.call('delete_email_draft', { draft_id: first.id })
  await ann.call('delete_email_draft', { draft_id: second.id })
  assert.ok(!(await write(mail.id)).warnings.some((text: string) => /another/.test(text)))
})

test('undoing a sent reply restores nothing and says so', async () => {
  const { ann, app } = workspace
  const mail = await plantMail({ from: 'kim@customer.test', subject: 'Sent already' })
  const answer = await ann.call('reply_to_email', { email_id: mail.id, body_markdown: 'Yes.' })
  const creation = rows(
    "select call_id as id from changes where item_id = ? and op = 'created'",
    answer.id,
  )[0]!
  app.store.raw.write
    .prepare("update email_outbox set state = 'handed' where email_id = ?")
    .run(answer.id)
  const undone = await ann.call('undo_api_call', { call_id: creation.id })
  assert.deepEqual(
    [undone.undone, undone.restored, undone.removed, undone.refused.length > 0],
    [false, [], [], true],
  )
  workspace.clock.pass(dayLong)
})

/** Id of the latest call of a tool. */
const latestCall = (tool: string) =>
  rows<{ id: string }>('select id from calls where tool = ? order by seq desc limit 1', tool)[0]!.id

test('undoing the sending or scheduling of a draft makes it editable, and edits of a queued draft are kept', async () => {
  const { ann, clock } = workspace
  for (const [tool, input] of [
    ['send_email_draft', {}],
    ['schedule_email', { send_at: new Date(clock.now() + hour).toISOString() }],
  ] as const) {
    const draft = await ann.call('create_email_draft', {
      to: ['bob@acme.test'],
      subject: `Undone ${tool}`,
      body_markdown: 'first',
    })
    await ann.call('update_email_draft', { draft_id: draft.id, body_markdown: 'second' })
    await ann.call(tool, { draft_id: draft.id, ...input })
    const refused = await ann.call('undo_api_call', { call_id: latestCall('update_email_draft') })
    assert.deepEqual(
      refused.refused.map((item: any) => item.reason),
      ['not_reversible'],
      tool,
    )
    const undone = await ann.call('undo_api_call', { call_id: latestCall(tool) })
    assert.deepEqual([undone.undone, undone.refused], [true, []], tool)
    assert.equal(
      rows('select state from email_drafts where id = ?', draft.id)[0]!.state,
      'draft',
      tool,
    )
    await ann.call('update_email_draft', { draft_id: draft.id, body_markdown: 'third' })
    await ann.call('delete_email_draft', { draft_id: draft.id })
  }
  clock.pass(dayLong)
  await sendDueMessages()
  assert.deepEqual(rows("select id from emails where subject like 'Undone %'"), [])
})

test('mail per person is limited per day', async () => {
  const { ann } = workspace
  for (let i = 0; i < 40; i++)
    await ann.call('send_email', {
      to: ['bob@acme.test'],
      subject: `Many ${i}`,
      body_markdown: 'x',
    })
  const refused = await ann.refused('send_email', {
    to: ['bob@acme.test'],
    subject: 'One more',
    body_markdown: 'x',
  })
  assert.deepEqual([refused.code, refused.more.retry_after_seconds! > 0], ['rate_limited', true])
})

test('an account that is disabled or needs its owner cannot send but keeps drafts', async () => {
  const { bob, app } = workspace
  await connectAccount(app, bob, {
    status: 'reauth_required',
    problem: 'Google ended the consent.',
  })
  const refused = await bob.refused('send_email', {
    to: ['ann@acme.test'],
    subject: 'x',
    body_markdown: 'x',
  })
  assert.deepEqual(
    [refused.code, /sign in again \(Google ended/.test(refused.message)],
    ['not_connected', true],
  )
  assert.equal(
    (
      await bob.call('create_email_draft', {
        to: ['ann@acme.test'],
        subject: 'x',
        body_markdown: 'x',
      })
    ).state,
    'draft',
  )
})
