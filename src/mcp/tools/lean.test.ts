import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { leanAnswer } from './lean.ts'

// User-chosen values are not “empty”: no, 0 and nothing are answers.

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** An operation's answer for Ann's assistant. */
async function askAssistant(tool: string, args: Record<string, unknown>): Promise<any> {
  const { ann, app } = workspace
  const full = await ann.call(tool, args)
  return leanAnswer(app.catalogue.find(tool)!, args, full, ann.actor)
}

test('“no” and 0 are kept in form responses, their lists and their statistics', async () => {
  const form = await workspace.ann.call('create_form', {
    title: 'Outage',
    fields: [
      { id: 'lost', label: 'Was a booking lost?', type: 'yes_no' },
      { id: 'size', label: 'How many?', type: 'number' },
      {
        id: 'why',
        label: 'Why not?',
        type: 'short_text',
        show_if: { field_id: 'lost', op: 'equals', value: false },
      },
    ],
  })
  await workspace.ann.call('publish_form', { form_id: form.id })
  const submitted = await askAssistant('submit_form_response', {
    form_id: form.id,
    answers: { lost: false, size: 0 },
  })
  const values = (response: any) => response.answers.map((answer: any) => answer.value)
  assert.deepEqual(values(submitted), [false, 0])
  const listed = await askAssistant('list_form_responses', { form_id: form.id })
  assert.deepEqual(values(listed.items[0]), [false, 0])
  const stats = await askAssistant('get_form_stats', { form_id: form.id })
  assert.deepEqual(stats.by_field[0].distribution, [
    { value: true }, // a count of 0 is left out
    { value: false, count: 1 },
  ])
  const forms = await askAssistant('list_forms', { fields: ['fields'] })
  assert.equal(forms.items[0].fields[2].show_if.value, false)
})

test('a mail rule for messages without attachments keeps its condition', async () => {
  const entry = workspace.app.catalogue.find('list_email_rules')!
  const condition = { field: 'has_attachments', op: 'is', value: false }
  const rule = { id: 'rul_1', name: 'Plain', enabled: true, conditions: { all: [condition] } }
  const page = { items: [rule], has_more: false }
  assert.deepEqual(
    (leanAnswer(entry, {}, page, workspace.ann.actor) as any).items[0].conditions.all,
    [condition],
  )
})

test('a field set to empty, no or 0 shows this in its change history', async () => {
  const entry = workspace.app.catalogue.find('list_field_changes')!
  for (const [from, to] of [
    ['Old', null],
    [true, false],
    [8, 0],
    ['Old', ''],
  ]) {
    const item = { id: 'chg_1', field: 'custom', from, to, at: '2026-11-29T12:00:00Z' }
    const answer: any = leanAnswer(
      entry,
      {},
      { items: [item], has_more: false },
      workspace.ann.actor,
    )
    assert.deepEqual([answer.items[0].from, answer.items[0].to], [from, to])
  }
})

test('an activity list states shared values once, and gives ids where a name is ambiguous', async () => {
  const { app, ann } = workspace
  const entry = app.catalogue.find('list_activity')!
  const at = '2026-11-29T12:00:00.000Z'
  const actor = { id: ann.id, title: ann.actor.display_name }
  const common = { at, actor, via: 'mcp', key_name: 'Laptop', call_id: 'clg_1', undo: 'possible' }
  const task = { type: 'task', id: 'tsk_1', key: 'ENG-1', title: 'Oil', url: 'http://x' }
  const items = [
    {
      ...common,
      id: 'acy_1',
      verb: 'created',
      item: task,
      changes: [{ field: 'labels', from: null, to: 'Red' }],
    },
    {
      ...common,
      id: 'acy_2',
      verb: 'completed',
      item: task,
      changes: [
        { field: 'status', from: 'To do', to: 'Done' },
        { field: 'completed_at', from: null, to: at },
        { field: 'estimate', from: 30, to: null },
      ],
    },
    {
      ...common,
      id: 'acy_3',
      at: '2026-11-29T12:01:00.000Z',
      verb: 'created',
      item: { type: 'page', id: 'pag_1', title: 'Plan' },
      changes: [],
    },
    {
      ...common,
      id: 'acy_4',
      verb: 'created',
      item: { type: 'message', id: 'msg_1', title: 'Hi' },
      changes: [],
    },
    ...['.100', '.900'].map((part, i) => ({
      ...common,
      id: `acy_${5 + i}`,
      at: `2026-11-29T11:59:59${part}Z`,
      verb: 'updated',
      item: { type: 'email', id: 'eml_1', title: 'Offer', trust: 'external' },
      changes: [{ field: 'labels', from: null, to: part }],
    })),
  ]
  const lean = (args: object): any =>
    leanAnswer(entry, { ...args }, { items, has_more: false }, ann.actor)
  assert.deepEqual(lean({}).items, [
    {
      at,
      verb: 'created',
      actor: { title: actor.title },
      item: { type: 'task', key: 'ENG-1', title: 'Oil' },
    },
    {
      verb: 'completed',
      changes: [
        { field: 'status', to: 'Done', from: 'To do' },
        { field: 'estimate', to: null, from: 30 },
      ],
    },
    { at: items[2]!.at, verb: 'created', item: { type: 'page', title: 'Plan' } },
    { at, verb: 'created', item: { type: 'message', id: 'msg_1', title: 'Hi' } },
    {
      at: items[4]!.at,
      verb: 'updated',
      item: { type: 'email', trust: 'external', id: 'eml_1', title: 'Offer' },
      changes: [{ field: 'labels', to: '.100' }],
    },
    {
      verb: 'updated',
      item: { type: 'email', trust: 'external', title: 'Offer' },
      changes: [{ field: 'labels', to: '.900' }],
    },
  ])
  const chosen = lean({ fields: ['call_id', 'undo', 'at'] }).items[1]
  assert.deepEqual(
    [chosen.call_id, chosen.undo, chosen.at],
    ['clg_1', 'possible', at],
    'omitted fields are returned on request',
  )
})

test('items with a key have no id in lists, and channels appear by their #name', () => {
  const { app, ann } = workspace
  const lean = (tool: string, item: object): any =>
    leanAnswer(
      app.catalogue.find(tool)!,
      {},
      { items: [item], has_more: false, total: 1 },
      ann.actor,
    )
  const task = { id: 'tsk_1', key: 'ENG-1', title: 'Oil', status: 'To do' }
  assert.deepEqual(lean('list_tasks', { ...task, subtask_counts: { total: 0, done: 0 } }).items, [
    { key: 'ENG-1', title: 'Oil', status: 'To do' },
  ])
  assert.deepEqual(
    lean('list_unread_messages', {
      channel: { id: 'chn_1', key: '#website', title: 'website' },
      unread: 2,
    }).items[0].channel,
    { key: '#website' },
  )
  const incident = { id: 'inc_1', key: 'INC-1', title: 'Down', status: 'open' }
  assert.equal(lean('list_incidents', incident).items[0].id, undefined)
})

test('custom fields of contacts and pulse responses keep no and 0', async () => {
  const { app, ann } = workspace
  const contact = { id: 'con_1', name: 'Bo', custom_fields: { vip: false, visits: 0, note: '' } }
  const contacts: any = leanAnswer(
    app.catalogue.find('list_contacts')!,
    {},
    { items: [contact], has_more: false },
    ann.actor,
  )
  assert.deepEqual(contacts.items[0].custom_fields, contact.custom_fields)
  const answered: any = leanAnswer(
    app.catalogue.find('submit_pulse_response')!,
    {},
    { answers: { well: false, mood: 0 } },
    ann.actor,
  )
  assert.deepEqual(answered.answers, { well: false, mood: 0 })
})

test('values of tested conditions are kept, including null', () => {
  const entry = workspace.app.catalogue.find('test_automation')!
  const values = [false, 0, '', null].map((value) => ({ text: 'task.done', held: false, value }))
  const answer: any = leanAnswer(
    entry,
    {},
    { would_trigger: false, conditions: values },
    workspace.ann.actor,
  )
  assert.deepEqual(
    answer.conditions.map((condition: any) => condition.value),
    [false, 0, '', null],
  )
})
