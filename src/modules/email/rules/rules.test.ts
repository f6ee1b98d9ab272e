import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { hour, makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import {
  plantEmail,
  plantMailbox,
  type GivenMail,
  type PlantedMailbox,
} from '../../../testing/mail/mailboxes.ts'
import { runEmailRules, sweepEmailRules } from '../ticks.ts'

let workspace: TestWorkspace
let ann: Someone
let box: PlantedMailbox
let secondMailbox: PlantedMailbox

before(async () => {
  workspace = await makeWorkspace()
  ann = workspace.ann
  const owner = { id: ann.id, org_id: ann.actor.org_id, email: ann.actor.email }
  box = await plantMailbox(workspace.app.store, owner, workspace.clock.now(), {
    folders: ['Receipts'],
  })
  secondMailbox = await plantMailbox(
    workspace.app.store,
    { ...owner, email: 'ann@second.test' },
    workspace.clock.now(),
  )
  await ann.call('create_project', { name: 'Inbox work', key: 'MAIL' })
})
beforeEach(async () => {
  for (const item of (await ann.call('list_email_rules', { limit: 100 })).items)
    await ann.call('delete_email_rule', { rule_id: item.id })
})
after(() => workspace.close())

const mail = (mail: GivenMail = {}, mailbox = box) =>
  plantEmail(mailbox, mail, workspace.clock.now())
const newMail = (overrides: GivenMail = {}, mailbox = box) =>
  mail({ news: true, ...overrides }, mailbox)
const read = (sql: string, ...values: unknown[]) =>
  workspace.app.store.raw.read.prepare(sql).all(...values) as Record<string, any>[]
const rowOf = (id: string) => read('select * from emails where id = ?', id)[0]!
const labelsOf = (id: string) =>
  read('select name from email_labels where email_id = ? order by name', id).map(
    (item) => item.name,
  )
const rule = (conditions: object, actions: object[], more: object = {}) =>
  ann.call('create_email_rule', { name: 'A rule', conditions, actions, ...more })
const run = async (tick = runEmailRules) => {
  while (await runTick(workspace.app, tick));
}
const currentRule = async (id: string) =>
  (await ann.call('list_email_rules', { limit: 100 })).items.find((item: any) => item.id === id)

test('incoming mail is processed once, by all rules in their order, and they count it', async () => {
  const first = await rule({ all: [{ field: 'from', op: 'matches_domain', value: 'shop.test' }] }, [
    { type: 'label', params: { label: 'Shopping' } },
    { type: 'mark_read' },
  ])
  const second = await rule({ any: [{ field: 'subject', op: 'contains', value: 'RECEIPT' }] }, [
    { type: 'move', params: { folder: 'Receipts' } },
    { type: 'star' },
  ])
  const plantedMail = await newMail({ from: 'orders@mail.shop.test', subject: 'Your receipt' })
  const two = await newMail({ from: 'kim@notshop.test', subject: 'Lunch?' })
  await run()
  assert.deepEqual(
    [
      rowOf(plantedMail.id).place,
      rowOf(plantedMail.id).unread,
      rowOf(plantedMail.id).starred,
      labelsOf(plantedMail.id),
    ],
    ['folder', 0, 1, ['Shopping']],
  )
  assert.deepEqual([rowOf(two.id).place, rowOf(two.id).unread, labelsOf(two.id)], ['inbox', 1, []])
  assert.deepEqual(
    [(await currentRule(first.id)).hits, (await currentRule(second.id)).hits],
    [1, 1],
  )
  await run()
  assert.equal((await currentRule(first.id)).hits, 1, 'each message once')
  assert.equal(read('select count(*) as count from email_rule_queue')[0]!.count, 0)
})

test('a rule creates a task from a mail, quoted as external text, and notifies its owner', async () => {
  await rule({ all: [{ field: 'body', op: 'contains', value: 'please quote' }] }, [
    { type: 'create_task', params: { project_id: 'MAIL' } },
    { type: 'notify', params: { text: 'A customer asks for an offer' } },
  ])
  const plantedMail = await newMail({
    subject: 'New website',
    text: 'Could you please   quote for a site?',
    from: 'kim@client.test',
  })
  await run()
  const [task] = (await ann.call('list_tasks', { project_id: 'MAIL' })).items
  assert.equal(task.title, 'New website')
  const detail = await ann.call('get_task', { task_id: task.id })
  assert.match(detail.description_markdown, /> Could you please {3}quote/)
  assert.match(detail.description_markdown, /From outside/)
  assert.equal(detail.source.id, plantedMail.id)
  const received = (await ann.call('list_notifications')).items
  assert.ok(
    received.some((item: any) => item.text === 'A customer asks for an offer'),
    JSON.stringify(received),
  )
})

test('a failing action is reported on the rule and blocks no others', async () => {
  await ann.call('create_project', { name: 'Over', key: 'OVER' })
  const failingRule = await rule(
    { all: [{ field: 'subject', op: 'starts_with', value: 'broken' }] },
    [{ type: 'create_task', params: { project_id: 'OVER' } }, { type: 'star' }],
  )
  await ann.call('archive_project', { project_id: 'OVER' })
  const plantedMail = await newMail({ subject: 'Broken thing' })
  await run()
  assert.equal(rowOf(plantedMail.id).starred, 1)
  const detail = await currentRule(failingRule.id)
  assert.match(detail.problem, /^create_task: /)
  assert.equal(detail.hits, 1)
})

test('mail waits for its body if a rule needs it', async () => {
  await rule({ all: [{ field: 'body', op: 'contains', value: 'body words' }] }, [{ type: 'star' }])
  const plantedMail = await newMail({ text: 'The body words.' })
  await workspace.app.store.writer.run(() =>
    workspace.app.store.write
      .updateTable('emails')
      .set({ body_state: 'pending' })
      .where('id', '=', plantedMail.id)
      .execute(),
  )
  await run()
  assert.equal(rowOf(plantedMail.id).starred, 0)
  await workspace.app.store.writer.run(() =>
    workspace.app.store.write
      .updateTable('emails')
      .set({ body_state: 'ready' })
      .where('id', '=', plantedMail.id)
      .execute(),
  )
  await run()
  assert.equal(rowOf(plantedMail.id).starred, 1)
})

test('every comparison works as named, and text is never treated as a pattern', async () => {
  const facts = {
    from: 'Kim.Lee@Sub.Client.test',
    fromName: 'Kim Lee',
    cc: ['bob@acme.test'],
    subject: 'Offer (a+)+$ for you',
    text: 'x',
    size: 5000,
    headers: [
      { name: 'X-Spam', value: 'no' },
      { name: 'List-Id', value: '<news.client.test>' },
    ],
    attachments: [{ name: 'a.txt', text: 'a' }],
  }
  const yes = [
    ['from', 'contains', 'kim lee'],
    ['from', 'equals', 'KIM.LEE@sub.client.test'],
    ['from', 'matches_domain', 'client.test'],
    ['from', 'not_contains', 'bob'],
    ['cc', 'equals', 'bob@acme.test'],
    ['to', 'equals', 'ann@acme.test'],
    ['subject', 'contains', '(a+)+$'],
    ['subject', 'ends_with', 'YOU'],
    ['subject', 'not_equals', 'offer'],
    ['header', 'equals', 'x-spam: no'],
    ['list', 'contains', 'news.client'],
    ['has_attachment', 'is', true],
    ['size_bytes', 'greater_than', 4999],
    ['account', 'is', 'ann@acme.test'],
  ] as const
  const no = [
    ['from', 'matches_domain', 'lient.test'],
    ['subject', 'contains', 'a++'],
    ['has_attachment', 'is', false],
    ['size_bytes', 'less_than', 5000],
    ['list', 'is', true],
    ['account', 'equals', 'ann@second.test'],
  ] as const
  const plantedMail = await mail(facts)
  const ids = async ([field, op, value]: readonly unknown[]) =>
    (
      await ann.call('preview_email_rule', {
        conditions: { all: [{ field, op, value }] },
        limit: 100,
      })
    ).items.map((item: any) => item.id)
  for (const condition of yes)
    assert.ok((await ids(condition)).includes(plantedMail.id), condition.join(' '))
  for (const condition of no)
    assert.ok(!(await ids(condition)).includes(plantedMail.id), condition.join(' '))
})

test('a rule for one account does not affect mail of other accounts', async () => {
  await rule({ all: [{ field: 'subject', op: 'equals', value: 'both' }] }, [{ type: 'archive' }], {
    account_id: 'ann@second.test',
  })
  const [here, there] = [
    await newMail({ subject: 'both' }),
    await newMail({ subject: 'both', to: ['ann@second.test'] }, secondMailbox),
  ]
  await run()
  assert.deepEqual([rowOf(here.id).place, rowOf(there.id).place], ['inbox', 'archive'])
})

test('applied to existing mail, a rule processes all of it in chunks and creates no tasks from old mail', async () => {
  const plantedMails = []
  for (let i = 0; i < 230; i++)
    plantedMails.push(
      await mail({ subject: `old newsletter ${i}`, at: workspace.clock.now() - (i % 40) * hour }),
    )
  const tasks = (await ann.call('list_tasks', { project_id: 'MAIL', limit: 100 })).items.length
  const tidyRule = await rule(
    { all: [{ field: 'subject', op: 'starts_with', value: 'old newsletter' }] },
    [{ type: 'archive' }, { type: 'create_task', params: { project_id: 'MAIL' } }],
    { apply_to_existing: true },
  )
  await run(sweepEmailRules)
  assert.equal(
    read(
      "select count(*) as count from emails where subject like 'old newsletter%' and place = 'archive'",
    )[0]!.count,
    230,
  )
  assert.equal((await currentRule(tidyRule.id)).hits, 230)
  assert.equal(
    (await ann.call('list_tasks', { project_id: 'MAIL', limit: 100 })).items.length,
    tasks,
  )
  assert.equal(
    read('select count(*) as count from email_rules where sweep_at is not null')[0]!.count,
    0,
  )
})

test('a preview shows the affected mail, page by page, and changes nothing', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await ann.call('preview_email_rule', {
      conditions: { all: [{ field: 'subject', op: 'starts_with', value: 'old newsletter' }] },
      limit: 100,
      ...(cursor ? { cursor } : {}),
    })
    seen.push(...page.items.map((item: any) => item.id))
    cursor = page.next_cursor
    assert.equal(page.has_more, cursor !== undefined)
  } while (cursor)
  assert.deepEqual([seen.length, new Set(seen).size], [230, 230])
})

test('rules that could never work are refused with a remedy', async () => {
  const refused = async (conditions: object, actions: object[]) =>
    (await ann.refused('create_email_rule', { name: 'x', conditions, actions })).message
  const all = [{ field: 'subject', op: 'contains', value: 'x' }]
  assert.match(await refused({}, [{ type: 'archive' }]), /every message/)
  assert.match(
    await refused({ all: [{ field: 'subject', op: 'greater_than', value: 1 }] }, [
      { type: 'archive' },
    ]),
    /subject does not support/,
  )
  assert.match(
    await refused({ all: [{ field: 'size_bytes', op: 'greater_than', value: 'big' }] }, [
      { type: 'archive' },
    ]),
    /takes a number/,
  )
  assert.match(await refused({ all }, []), /actions/)
  assert.match(
    await refused({ all }, [{ type: 'move', params: { folder: 'Nowhere' } }]),
    /no folder "Nowhere"/,
  )
  assert.match(
    await refused({ all }, [{ type: 'archive', params: { forward_to: 'x@y.test' } }]),
    /forward_to/,
  )
  assert.match(await refused({ all }, [{ type: 'snooze' }]), /duration is missing/)
  assert.equal(
    (
      await ann.refused('create_email_rule', {
        name: 'x',
        conditions: { all },
        actions: [{ type: 'forward' }],
      })
    ).code,
    'invalid_argument',
  )
  assert.equal(
    (
      await ann.refused('create_email_rule', {
        name: 'x',
        conditions: { all },
        actions: [{ type: 'create_task', params: { project_id: 'NONE' } }],
      })
    ).code,
    'not_found',
  )
})

test('rules are reordered, disabled, and restored from the trash', async () => {
  const [a, b, c] = [
    await rule({ all: [{ field: 'subject', op: 'contains', value: 'a' }] }, [{ type: 'star' }]),
    await rule({ all: [{ field: 'subject', op: 'contains', value: 'b' }] }, [{ type: 'star' }]),
    await rule({ all: [{ field: 'subject', op: 'contains', value: 'c' }] }, [{ type: 'star' }]),
  ]
  await ann.call('update_email_rule', { rule_id: c.id, position: 1, name: 'First' })
  assert.deepEqual(
    (await ann.call('list_email_rules')).items.map((item: any) => [item.id, item.position]),
    [
      [c.id, 1],
      [a.id, 2],
      [b.id, 3],
    ],
  )
  await ann.call('update_email_rule', { rule_id: c.id, enabled: false })
  const plantedMail = await newMail({ subject: 'ccc' })
  await run()
  assert.equal(rowOf(plantedMail.id).starred, 0)
  const { undo_call_id } = await ann.call('delete_email_rule', { rule_id: a.id })
  assert.equal((await ann.call('undo_api_call', { call_id: undo_call_id })).undone, true)
  assert.equal((await ann.call('list_email_rules', { enabled: true })).items.length, 2)
  assert.equal(
    (await workspace.bob.refused('update_email_rule', { rule_id: a.id, enabled: false })).code,
    'not_found',
  )
})
