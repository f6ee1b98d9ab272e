import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { runAutomations } from '../../automations/testing.ts'

let workspace: TestWorkspace
let ann: Someone
let bob: Someone
let carol: Someone
let eve: Someone
let form: any
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob, carol, eve } = workspace)
  form = await publish({ responses_visible_to: 'organization' })
})
after(() => workspace.close())

const fields = [
  { id: 'name', label: 'Name', type: 'short_text', required: true },
  { id: 'kind', label: 'Kind', type: 'select', options: ['Bug', 'Idea'] },
  { id: 'tags', label: 'Tags', type: 'multi_select', options: ['Red', 'Blue', 'Green'] },
  { id: 'size', label: 'Size', type: 'number' },
  { id: 'on', label: 'On', type: 'date' },
  { id: 'ok', label: 'OK', type: 'yes_no' },
  { id: 'shot', label: 'Shot', type: 'file', max: 2 },
]

async function publish(settings: Record<string, unknown> = {}, who = bob) {
  const draft = await who.call('create_form', { title: 'Reports', fields, settings })
  return who.call('publish_form', { form_id: draft.id })
}

const submit = (answers: Record<string, unknown>, who = carol, target = form) =>
  who.call('submit_form_response', { form_id: target.id, answers })
const namesOf = (page: { items: { answers: { field_id: string; value: unknown }[] }[] }) =>
  page.items.map((item) => item.answers.find((answer) => answer.field_id === 'name')!.value)
const base64 = (content: string) => Buffer.from(content).toString('base64')

test('a response comes from a person of the organization, is checked as on the page, and all errors are named at once', async () => {
  const refused = await carol.refused('submit_form_response', {
    form_id: form.id,
    answers: { kind: 'Joke', size: 'big', zzz: 1 },
  })
  assert.deepEqual(
    [refused.code, refused.more.errors?.map((error) => error.path).sort()],
    ['invalid_argument', ['answers.kind', 'answers.name', 'answers.size', 'answers.zzz']],
  )
  const response = await submit({
    name: ' Zoe ',
    kind: 'Bug',
    tags: ['Blue', 'Red'],
    size: 1.5,
    on: '2026-12-01',
    ok: true,
  })
  assert.deepEqual(
    response.answers.map((answer: { field_id: string; value: unknown }) => [
      answer.field_id,
      answer.value,
    ]),
    [
      ['name', 'Zoe'],
      ['kind', 'Bug'],
      ['tags', ['Red', 'Blue']],
      ['size', 1.5],
      ['on', '2026-12-01'],
      ['ok', true],
    ],
  )
  assert.deepEqual(
    [response.trust, response.respondent.person.title, response.respondent.email, response.partial],
    ['internal', 'Carol', 'carol@acme.test', false],
  )
  assert.equal(
    (await eve.refused('submit_form_response', { form_id: form.id, answers: { name: 'x' } })).code,
    'not_found',
  )
})

test('a repeated idempotency key returns the same response, and the call log keeps none of the answers', async () => {
  const args = { form_id: form.id, answers: { name: 'canarylog' } }
  const [first, second] = [
    await bob.call('submit_form_response', args, { idempotencyKey: 'k' }),
    await bob.call('submit_form_response', args, { idempotencyKey: 'k' }),
  ]
  assert.equal(first.id, second.id)
  await bob.refused('submit_form_response', { form_id: form.id, answers: { name: ['canarylog'] } })
  const loggedCalls = await workspace.app.store.read
    .selectFrom('calls')
    .select('details_json')
    .where('tool', '=', 'submit_form_response')
    .execute()
  assert.ok(loggedCalls.length > 2 && !JSON.stringify(loggedCalls).includes('canarylog'))
})

test('responses are listed newest first, paged, and filtered by time, field answers and words', async () => {
  const ownForm = await publish()
  for (const [i, answers] of [
    { name: 'one', kind: 'Bug', tags: ['Red'], size: 1, on: '2026-01-01', ok: true },
    { name: 'two', kind: 'Idea', tags: ['Red', 'Blue'], size: 2.5, on: '2026-06-01', ok: false },
    { name: 'three words of a zebra', kind: 'Bug', size: -3 },
    { name: 'FOUR' },
  ].entries()) {
    workspace.clock.pass(i === 2 ? 3600_000 : 1000)
    await submit(answers, carol, ownForm)
  }
  const list = async (args: Record<string, unknown>) =>
    namesOf(await bob.call('list_form_responses', { form_id: ownForm.id, ...args }))
  const first = await bob.call('list_form_responses', { form_id: ownForm.id, limit: 3 })
  assert.deepEqual(namesOf(first), ['FOUR', 'three words of a zebra', 'two'])
  assert.deepEqual(await list({ cursor: first.next_cursor }), ['one'])
  const [, , two] = first.items
  assert.deepEqual(await list({ before: two.submitted_at }), ['two', 'one'])
  assert.deepEqual(await list({ after: two.submitted_at, before: two.submitted_at }), ['two'])
  const filterBy = (field_filters: Record<string, unknown>) => list({ field_filters })
  assert.deepEqual(await filterBy({ kind: 'bug' }), ['three words of a zebra', 'one'])
  assert.deepEqual(await filterBy({ kind: ['Idea', 'Bug'], ok: true }), ['one'])
  assert.deepEqual(await filterBy({ tags: 'Blue' }), ['two'])
  assert.deepEqual(await filterBy({ size: { greater: 0, less: 2 } }), ['one'])
  assert.deepEqual(await filterBy({ on: { greater: '2026-03-01' } }), ['two'])
  assert.deepEqual(await filterBy({ kind: { not_equals: 'Bug' } }), ['FOUR', 'two'])
  assert.deepEqual(await filterBy({ kind: { answered: false } }), ['FOUR'])
  assert.deepEqual(await filterBy({ name: { contains: 'WORDS' } }), ['three words of a zebra'])
  assert.deepEqual(await list({ query: 'zebras' }), ['three words of a zebra'])
  assert.deepEqual(await list({ query: 'zebra', field_filters: { kind: 'Idea' } }), [])
  const lean = await bob.call('list_form_responses', {
    form_id: ownForm.id,
    fields: ['score', 'trust'],
    limit: 1,
  })
  assert.deepEqual(Object.keys(lean.items[0]).sort(), ['id', 'trust'])
  for (const [filter, field] of [
    [{ zzz: 1 }, 'field_filters.zzz'],
    [{ size: 'x' }, 'field_filters.size'],
    [{ kind: { like: 'x' } }, 'field_filters.kind'],
    [{ kind: { greater: 'x' } }, 'field_filters.kind.greater'],
    [{ kind: {} }, 'field_filters.kind'],
  ] as const) {
    assert.equal(
      (await bob.refused('list_form_responses', { form_id: ownForm.id, field_filters: filter }))
        .more.field,
      field,
    )
  }
})

test('responses to an owner_only form are limited to its creator and administrators: in lists, counts, statistics, exports, events, search and files', async () => {
  const secret = await publish({ responses_visible_to: 'owner_only' })
  const response = await submit(
    { name: 'secretword', shot: [{ name: 'a.txt', content_base64: base64('secret file') }] },
    ann,
    secret,
  )
  const file = response.answers[1].value[0].file_id
  for (const tool of ['list_form_responses', 'get_form_stats', 'export_form_responses']) {
    assert.equal(
      (await carol.refused(tool, { form_id: secret.id })).code,
      'permission_denied',
      tool,
    )
    assert.equal((await eve.refused(tool, { form_id: secret.id })).code, 'not_found', tool)
  }
  assert.deepEqual(
    [
      (await carol.call('get_form', { form_id: secret.id })).response_count,
      (await bob.call('get_form', { form_id: secret.id })).response_count,
      (await ann.call('get_form', { form_id: secret.id })).response_count,
    ],
    [0, 1, 1],
  )
  for (const args of [{ form_id: secret.id, response_id: response.id }])
    assert.equal((await carol.refused('delete_form_response', args)).code, 'not_found')
  assert.equal((await carol.refused('download_file', { file_id: file })).code, 'not_found')
  assert.equal(
    (await bob.call('get_file_content', { file_id: file, format: 'base64' })).base64,
    base64('secret file'),
  )
  const changes = JSON.stringify(await carol.call('list_changes', {}))
  assert.ok(!changes.includes(response.id))
  assert.ok(JSON.stringify(await bob.call('list_changes', {})).includes(response.id))
  assert.equal(
    (
      await carol.refused('create_task_from_source', {
        source_type: 'form_response',
        source_id: response.id,
        project_id: 'X',
      })
    ).more.field,
    'source_id',
  )
  const open = await submit({ name: 'open' })
  assert.equal(
    (await carol.refused('delete_form_response', { form_id: form.id, response_id: open.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.refused('delete_form_response', { form_id: secret.id, response_id: open.id })).code,
    'not_found',
    'of another form',
  )
})

test('files are given by id or by content, with allowed types and a maximum number', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64')
  const response = await submit({ name: 'x', shot: [{ name: '../up/a.PNG', content_base64: png }] })
  const [file] = response.answers[1].value
  assert.deepEqual([file.name, file.size_bytes], ['a.PNG', 12])
  const again = await submit({ name: 'x', shot: [file.file_id] })
  assert.equal(again.answers[1].value[0].file_id, file.file_id)
  const refusalMessage = async (shot: unknown) =>
    (
      await carol.refused('submit_form_response', {
        form_id: form.id,
        answers: { name: 'x', shot },
      })
    ).message
  assert.match(await refusalMessage([{ name: 'a.exe', content_base64: png }]), /type/)
  assert.match(
    await refusalMessage([{ name: 'a.html', content_base64: base64('<script>') }]),
    /type/,
  )
  assert.match(
    await refusalMessage([{ name: 'a.pdf', content_base64: png }]),
    /does not match its name/,
  )
  assert.match(await refusalMessage([{ name: 'a.png', content_base64: 'x=y' }]), /base64/)
  assert.match(
    await refusalMessage([file, file, file].map(() => ({ name: 'a.png', content_base64: png }))),
    /at most 2 files/,
  )
  assert.match(
    await refusalMessage(['fil_00000000000000000000000000']),
    /no file|not found|no such/i,
  )
})

test('erasing a response leaves no trace of it and erases its files', async () => {
  const createdForm = await publish()
  const webhook = await bob.call('create_webhook', {
    url: 'https://93.184.216.34/',
    events: ['form.*', 'form_response.*'],
  })
  const word = 'xyzerasable'
  const response = await bob.call(
    'submit_form_response',
    {
      form_id: createdForm.id,
      answers: {
        name: word,
        shot: [{ name: `${word}.txt`, content_base64: base64(`${word} in a file`) }],
      },
    },
    { idempotencyKey: 'once' },
  )
  const attachment = await carol.call('add_task_attachment', {
    task_id: (await taskOf(carol)).id,
    name: 'kept.txt',
    content_base64: base64('kept'),
  })
  const other = await submit({ name: word, shot: [attachment.file.id] }, carol, createdForm)
  insertRun(response.id, word)
  assert.ok(tablesContaining(word).includes('automation_steps'))
  for (const item of [response, other]) {
    const erased = await bob.call('delete_form_response', {
      form_id: createdForm.id,
      response_id: item.id,
    })
    assert.deepEqual(
      [erased.restorable_until, erased.also_deleted],
      [undefined, item === response ? [{ type: 'file', count: 1 }] : []],
    )
    const undone = await bob.call('undo_api_call', { call_id: erased.undo_call_id })
    assert.deepEqual(
      [undone.restored, undone.refused.map((refused: { reason: string }) => refused.reason)],
      [[], ['not_reversible']],
    )
  }
  assert.deepEqual(tablesContaining(word), [])
  const again = await bob.call(
    'submit_form_response',
    {
      form_id: createdForm.id,
      answers: {
        name: word,
        shot: [{ name: `${word}.txt`, content_base64: base64(`${word} in a file`) }],
      },
    },
    { idempotencyKey: 'once' },
  )
  assert.deepEqual(
    [
      again.id,
      again.answers,
      (await bob.call('get_form', { form_id: createdForm.id })).response_count,
    ],
    [response.id, [], 0],
    'a repeated request does not restore it',
  )
  assert.deepEqual(tablesContaining(word), [])
  assert.deepEqual(tablesContaining(base64(`${word} in a file`).slice(0, 12)), [])
  assert.equal(
    (await carol.call('download_file', { file_id: attachment.file.id })).download.name,
    'kept.txt',
    'a file from elsewhere stays',
  )
  assert.deepEqual(
    (await bob.call('list_form_responses', { form_id: createdForm.id, query: word })).items,
    [],
  )
  assert.equal(
    (
      await bob.refused('delete_form_response', {
        form_id: createdForm.id,
        response_id: response.id,
      })
    ).code,
    'not_found',
  )
  await bob.call('delete_webhook', { webhook_id: webhook.id })
})

async function taskOf(who: Someone) {
  await who.call('create_project', { name: 'Files', key: 'FIL' })
  return who.call('create_task', { project_id: 'FIL', title: 'x' })
}

/** Inserts a run triggered by a response, as its history shows it. */
function insertRun(itemId: string, word: string): void {
  const db = workspace.app.store.raw.write
  const [org, id] = [bob.actor.org_id, 'run_00000000000000000000000000']
  db.prepare(
    "INSERT INTO automation_runs (id, org_id, automation_id, automation_name, owner_id, plan_id, trigger_type, item_type, item_id, root_id, depth, held, status, created_at, updated_at, ended_at) VALUES (?, ?, 'aut', 'x', ?, 'p', 'event', 'form_response', ?, ?, 0, 1, 'succeeded', 0, 0, 1)",
  ).run(id, org, bob.id, itemId, id)
  db.prepare(
    "INSERT INTO automation_steps (run_id, path, org_id, automation_id, position, action, status, attempts, input_json, output_json, items_json, added_at) VALUES (?, '0', ?, 'aut', 0, 'send_message', 'succeeded', 1, ?, ?, '[]', 0)",
  ).run(id, org, JSON.stringify({ body: word }), JSON.stringify({ body: word }))
}

/** Tables that contain a text. */
function tablesContaining(word: string): string[] {
  const db = workspace.app.store.raw.write
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_fts%' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all() as string[]
  return tables.filter((table) =>
    db
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .some((row) => JSON.stringify(row).includes(word)),
  )
}

test('undoing the submission removes the response', async () => {
  const createdForm = await publish()
  await submit({ name: 'undoable' }, bob, createdForm)
  const { id } = await workspace.app.store.read
    .selectFrom('calls')
    .select('id')
    .where('tool', '=', 'submit_form_response')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const undone = await bob.call('undo_api_call', { call_id: id })
  assert.equal(undone.undone, true)
  assert.equal((await bob.call('get_form', { form_id: createdForm.id })).response_count, 0)
  assert.deepEqual(tablesContaining('undoable'), [])
})

test('a task created from a response takes its title and description from it', async () => {
  await bob.call('create_project', { name: 'Support', key: 'SUP' })
  const response = await submit({ name: 'The printer is on fire', kind: 'Bug' })
  const task = await bob.call('create_task_from_source', {
    source_type: 'form_response',
    source_id: response.id,
    project_id: 'SUP',
  })
  assert.equal(task.title, 'Reports: The printer is on fire')
  assert.match(
    task.description_markdown,
    /^\*\*Name\*\*\n\nThe printer is on fire\n\n\*\*Kind\*\*\n\nBug$/,
  )
})

test('exports: CSV without formulas, JSON, and a link when too long', async () => {
  const createdForm = await publish()
  for (const name of ['=HYPERLINK("x")', '+1', '-1', '@a', 'plain, "quoted"\nline'])
    await submit({ name, size: -5, tags: ['Red', 'Blue'] }, carol, createdForm)
  const csv = await bob.call('export_form_responses', { form_id: createdForm.id })
  const rows = csv.inline.split('\r\n')
  assert.deepEqual(rows[0].split(',').slice(0, 6), [
    'response_id',
    'submitted_at',
    'respondent',
    'respondent_email',
    'trust',
    'score',
  ])
  assert.ok(rows[0].endsWith(',Name,Kind,Tags,Size,On,OK,Shot'))
  assert.ok(
    rows[1].includes(`"'=HYPERLINK(""x"")"`) &&
      rows[2].includes(",'+1,") &&
      rows[3].includes(",'-1,") &&
      rows[4].includes(",'@a,"),
    csv.inline,
  )
  assert.ok(rows[1].includes(',Red; Blue,-5,'), rows[1])
  assert.deepEqual(
    [csv.format, csv.item_count, csv.size_bytes],
    ['csv', 5, Buffer.byteLength(csv.inline)],
  )
  const json = await bob.call('export_form_responses', {
    form_id: createdForm.id,
    format: 'json',
    after: '2026-01-01',
  })
  assert.equal(JSON.parse(json.inline)[0].answers[0].value, '=HYPERLINK("x")')
  assert.equal(
    (await bob.call('export_form_responses', { form_id: createdForm.id, before: '2026-01-01' }))
      .item_count,
    0,
  )
})

test('too many filters at once are refused before they slow down others', async () => {
  const many = await bob.call('create_form', {
    title: 'Many',
    fields: Array.from({ length: 30 }, (_, i) => ({
      id: `f${i}`,
      label: `F${i}`,
      type: 'short_text',
    })),
  })
  const refusalFor = (field_filters: object) =>
    bob.refused('list_form_responses', { form_id: many.id, field_filters })
  assert.match(
    (await refusalFor(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, 'x']))))
      .message,
    /21 conditions; the maximum is 20/,
  )
  assert.match(
    (await refusalFor({ f0: Array(100).fill('x'), f1: Array(100).fill('x'), f2: 'x' })).message,
    /201 values; the maximum is 200/,
  )
  assert.deepEqual(
    (
      await bob.call('list_form_responses', {
        form_id: many.id,
        field_filters: { f0: Array(100).fill('x'), f1: { contains: Array(100).fill('x') } },
      })
    ).items,
    [],
  )
})

test('erasing a response also removes it from unfinished runs and pending approvals', async () => {
  const createdForm = await publish()
  const word = 'xyzwaiting'
  const automation = await bob.call('create_automation', {
    name: 'Waits',
    trigger: { type: 'event', params: { event: 'form.response_received' } },
    actions: [
      { type: 'list_form_responses', params: { form_id: createdForm.id } },
      {
        type: 'create_webhook',
        params: {
          url: 'https://93.184.216.34/x',
          events: ['task.created'],
          name: '{{ item.values.name }}',
        },
      },
    ],
  })
  const key = await workspace.key(bob, { hold_outbound: true })
  await bob.call('enable_automation', { automation_id: automation.id })
  workspace.app.store.raw.write
    .prepare('UPDATE automations SET key_id = ? WHERE id = ?')
    .run(key.id, automation.id) // simulates approving the call
  workspace.app.store.raw.write
    .prepare('UPDATE api_keys SET hold_outbound = 1 WHERE id = ?')
    .run(key.id)
  const response = await submit({ name: word }, carol, createdForm)
  await runAutomations(workspace)
  const tablesWithWord = tablesContaining(word)
  assert.ok(
    tablesWithWord.includes('approvals') && tablesWithWord.includes('automation_steps'),
    tablesWithWord.join(),
  )
  await bob.call('delete_form_response', { form_id: createdForm.id, response_id: response.id })
  assert.deepEqual(tablesContaining(word), [])
  await runAutomations(workspace)
  assert.equal(
    (await bob.call('list_automation_runs', { automation_id: automation.id })).items[0].status,
    'failed',
  )
  await bob.call('disable_automation', { automation_id: automation.id })
})
