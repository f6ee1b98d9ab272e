import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Queue } from '../../../jobs/queue.ts'
import { runTicks } from '../../../jobs/scheduler.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let queue: Queue
let bob: Someone
let carol: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ bob, carol } = workspace)
  queue = new Queue(workspace.app)
  await bob.call('create_project', { name: 'Support', key: 'SUP' })
})
after(async () => {
  await queue.stop()
  await workspace.close()
})

const fields = [
  { id: 'title', label: 'What is it', type: 'short_text', required: true },
  { id: 'text', label: 'More', type: 'long_text' },
  { id: 'mail', label: 'Email', type: 'email' },
  { id: 'due', label: 'Until', type: 'date' },
  { id: 'points', label: 'Size', type: 'number' },
]

async function publish(destination: Record<string, unknown>, who = bob) {
  const draft = await who.call('create_form', { title: 'Requests', fields, destination })
  return who.call('publish_form', { form_id: draft.id })
}

/** Runs due work, like a server. */
async function runDueWork(): Promise<void> {
  await runTicks(workspace.app)
  await queue.drain()
  await runTicks(workspace.app)
}

async function submitAndDeliver(
  form: { id: string },
  answers: Record<string, unknown>,
  who = carol,
  reader = bob,
) {
  await who.call('submit_form_response', { form_id: form.id, answers })
  await runDueWork()
  return (await reader.call('list_form_responses', { form_id: form.id, limit: 1 })).items[0]
}

test('a response creates one task in the creator’s project, even if the respondent is not a member', async () => {
  const form = await publish({
    kind: 'task',
    mapping: {
      project_id: 'SUP',
      title: 'Request: {{title}}',
      due_at: '{{due}}',
      points: '{{points}}',
      priority: 'high',
      description_markdown: 'Asked by {{mail}}:\n\n{{*}}',
    },
  })
  const response = await submitAndDeliver(form, {
    title: 'New printer',
    mail: 'zoe@x.test',
    due: '2026-12-24',
    points: 3,
  })
  assert.deepEqual(
    [response.destination, response.created_item.type, response.created_item.title],
    [{ state: 'done' }, 'task', 'Request: New printer'],
  )
  const task = await bob.call('get_task', { task_id: response.created_item.id })
  assert.deepEqual(
    [task.title, task.due_at, task.points, task.priority, task.created_by.title],
    ['Request: New printer', '2026-12-24T22:59:59.000Z', 3, 'high', 'Bob'],
  )
  assert.match(
    task.description_markdown,
    /^Asked by zoe@x\.test:\n\n\*\*What is it\*\*\n\nNew printer/,
  )
  await runDueWork()
  assert.equal((await bob.call('list_tasks', { project_id: 'SUP' })).items.length, 1)
  const plain = await submitAndDeliver(
    await publish({ kind: 'task', mapping: { project_id: 'SUP' } }),
    {
      title: 'Just this',
    },
  )
  assert.equal(plain.created_item.title, 'Requests: Just this')
})

test('a failed forwarding is reported to the creator, and the response is kept', async () => {
  const form = await publish({ kind: 'task', mapping: { project_id: 'SUP', due_at: '{{text}}' } })
  const response = await submitAndDeliver(form, { title: 'x', text: 'not a day' })
  assert.deepEqual([response.destination.state, response.created_item], ['failed', undefined])
  assert.match(response.destination.error, /due_at/)
  assert.match(
    (await bob.call('list_notifications', { limit: 1 })).items[0].text,
    /saved but could not be forwarded/,
  )
})

test('the item is created with the creator’s current rights', async () => {
  const creator = await workspace.person('Max')
  await bob.call('add_project_member', { project_id: 'SUP', person_id: creator.id })
  const form = await publish({ kind: 'task', mapping: { project_id: 'SUP' } }, creator)
  await bob.call('remove_project_member', { project_id: 'SUP', person_id: creator.id })
  const undelivered = await submitAndDeliver(form, { title: 'x' }, carol, creator)
  assert.deepEqual(
    [undelivered.destination.state, /project/.test(undelivered.destination.error)],
    ['failed', true],
  )
  await workspace.app.store.writer.run(
    async () =>
      void (await workspace.app.store.write
        .updateTable('users')
        .set({ status: 'deactivated' })
        .where('id', '=', creator.id)
        .execute()),
  )
  const response = await submitAndDeliver(form, { title: 'y' }, carol, workspace.ann)
  assert.deepEqual(response.destination, {
    state: 'failed',
    error: 'The owner of the form is no longer active.',
  })
})

test('the creator’s rights apply, not those of the respondent’s key', async () => {
  const key = await workspace.key(bob, { toolsets: ['forms'] })
  const form = await publish({ kind: 'task', mapping: { project_id: 'SUP' } })
  await bob.call(
    'submit_form_response',
    { form_id: form.id, answers: { title: 'by a narrow key' } },
    { key },
  )
  await runDueWork()
  assert.equal(
    (await bob.call('list_form_responses', { form_id: form.id })).items[0].destination.state,
    'done',
  )
})

test('an impossible mapping is refused when set, and a restricted key cannot set one that exceeds its rights', async () => {
  const refusedField = async (destination: Record<string, unknown>, who = bob) =>
    (await who.refused('create_form', { title: 'x', fields, destination })).more.field
  assert.equal(await refusedField({ kind: 'task' }), 'destination.mapping.project_id')
  assert.equal(
    await refusedField({ kind: 'task', mapping: { project_id: 'NOPE' } }),
    'destination.mapping.project_id',
  )
  assert.equal(
    await refusedField({ kind: 'task', mapping: { project_id: 'SUP' } }, carol),
    'destination.mapping.project_id',
  )
  assert.equal(
    await refusedField({ kind: 'task', mapping: { project_id: '{{title}}' } }),
    'destination.mapping.project_id',
  )
  assert.equal(
    await refusedField({ kind: 'task', mapping: { project_id: 'SUP', title: '{{zzz}}' } }),
    'destination.mapping',
  )
  assert.equal(
    await refusedField({ kind: 'task', mapping: { project_id: 'SUP', colour: 'red' } }),
    'destination.mapping.colour',
  )
  assert.equal(
    await refusedField({ kind: 'task', mapping: { project_id: 'SUP', priority: 'very' } }),
    'destination.mapping.priority',
  )
  assert.equal(
    await refusedField({
      kind: 'webhook',
      mapping: { webhook_id: 'whk_00000000000000000000000000' },
    }),
    'destination.mapping.webhook_id',
  )
  assert.equal(await refusedField({ kind: 'mail' }), 'destination.kind')
  const key = await workspace.key(bob, { toolsets: ['forms'] })
  await assert.rejects(
    bob.call(
      'create_form',
      { title: 'x', fields, destination: { kind: 'task', mapping: { project_id: 'SUP' } } },
      { key },
    ),
    { code: 'permission_denied' },
  )
  const form = await publish({ kind: 'task', mapping: { project_id: 'SUP', title: '{{text}}' } })
  assert.equal(
    (await bob.refused('update_form', { form_id: form.id, fields: [fields[0]] })).more.field,
    'destination.mapping',
  )
  assert.equal(
    (await bob.call('update_form', { form_id: form.id, destination: null })).destination,
    undefined,
  )
})

test('a webhook destination must be the creator’s own and subscribed to responses', async () => {
  const webhook = await bob.call('create_webhook', {
    url: 'https://93.184.216.34/',
    events: ['task.*'],
  })
  assert.match(
    (
      await bob.refused('create_form', {
        title: 'x',
        fields,
        destination: { kind: 'webhook', mapping: { webhook_id: webhook.id } },
      })
    ).message,
    /form\.response_received/,
  )
  await bob.call('update_webhook', { webhook_id: webhook.id, events: ['form.response_received'] })
  const form = await publish({ kind: 'webhook', mapping: { webhook_id: webhook.id } })
  await carol.call('submit_form_response', {
    form_id: form.id,
    answers: { title: 'private words' },
  })
  await runTicks(workspace.app)
  const [delivery] = (await bob.call('list_webhook_deliveries', { webhook_id: webhook.id })).items
  assert.deepEqual(
    [delivery.event, delivery.payload.item?.type],
    ['form.response_received', 'form_response'],
  )
  assert.ok(!JSON.stringify(delivery).includes('private words'))
  await bob.call('delete_webhook', { webhook_id: webhook.id })
})

test('contacts, deals and incidents are created from the answers', async (t) => {
  const has = (name: string) => workspace.app.catalogue.find(name) !== undefined
  if (!has('create_contact') || !has('create_deal') || !has('create_incident'))
    return t.skip('a module is missing')
  const contact = await submitAndDeliver(
    await publish({ kind: 'contact', mapping: { title: 'Lead' } }),
    {
      title: 'Zoe Miller',
      mail: 'Zoe@Customer.test',
    },
  )
  assert.deepEqual([contact.destination.state, contact.destination.error], ['done', undefined])
  const person = await bob.call('get_contact', { contact_id: contact.created_item.id })
  assert.deepEqual(
    [person.name, person.emails, person.title],
    ['Zoe Miller', ['zoe@customer.test'], 'Lead'],
  )
  const deal = await submitAndDeliver(
    await publish({ kind: 'deal', mapping: { amount: '{{points}}', currency: 'EUR' } }),
    { title: 'Ten chairs', points: 990 },
  )
  assert.deepEqual(
    [deal.destination, deal.created_item.title],
    [{ state: 'done' }, 'Requests: Ten chairs'],
  )
  const incident = await submitAndDeliver(
    await publish({ kind: 'incident', mapping: { severity: 'sev3' } }),
    { title: 'It is down' },
  )
  assert.deepEqual(
    [incident.destination, incident.created_item.title],
    [{ state: 'done' }, 'Requests: It is down'],
  )
})

test('a respondent sees only the kind of destination, not the target or the mapping', async () => {
  const form = await publish({
    kind: 'task',
    mapping: { project_id: 'SUP', title: 'Internal: {{title}}' },
  })
  const destinationSeenBy = async (who: Someone) =>
    (await who.call('get_form', { form_id: form.id })).destination
  assert.deepEqual(
    [
      await destinationSeenBy(carol),
      await destinationSeenBy(bob),
      await destinationSeenBy(workspace.ann),
    ],
    [
      { kind: 'task' },
      ...Array(2).fill({
        kind: 'task',
        mapping: { project_id: 'SUP', title: 'Internal: {{title}}' },
      }),
    ],
  )
})

test('an item created from a response submitted by a run belongs to its chain and is held as well', async () => {
  const form = await publish({
    kind: 'task',
    mapping: { project_id: 'SUP', title: '{{title}}', priority: 'high' },
  })
  const manual = { type: 'manual', params: {} }
  const first = await bob.call('create_automation', {
    name: 'Fills in',
    trigger: manual,
    actions: [
      {
        type: 'submit_form_response',
        params: { form_id: form.id, answers: { title: 'By a run' } },
      },
    ],
  })
  const second = await bob.call('create_automation', {
    name: 'Sends',
    trigger: { type: 'event', params: { event: 'task.*' } },
    actions: [
      {
        type: 'create_webhook',
        params: { url: 'https://93.184.216.34/x', events: ['task.created'] },
      },
    ],
  })
  for (const { id } of [first, second]) await bob.call('enable_automation', { automation_id: id })
  const { id } = await bob.call('run_automation', { automation_id: first.id })
  workspace.app.store.raw.write.prepare('UPDATE automation_runs SET held = 1 WHERE id = ?').run(id) // simulates a trigger from outside
  for (let round = 0; round < 3; round++) await runDueWork()
  const runs = (await bob.call('list_automation_runs', { automation_id: second.id })).items
  assert.ok(runs.length > 0)
  assert.deepEqual(
    runs.map((run: { held: boolean; depth: number }) => [run.held, run.depth]),
    runs.map(() => [true, 1]),
  )
  assert.deepEqual((await bob.call('list_webhooks')).items, [])
  assert.ok(
    (await bob.call('get_automation_run', { run_id: id })).changed_items.some(
      (changedItem: { type: string }) => changedItem.type === 'task',
    ),
  )
  for (const item of [first, second])
    await bob.call('disable_automation', { automation_id: item.id })
})
