import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let now: any
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  for (const name of ['Checkout', 'Search']) await ann.call('create_service', { name })
  const make = async (title: string, more: Record<string, unknown> = {}, cause?: string) => {
    const { key } = await bob.call('create_incident', { title, severity: 'sev3', ...more })
    if (cause) await bob.call('update_incident', { incident_id: key, cause })
    return key as string
  }
  const first = await make(
    'Checkout fails with expired certificate',
    { service_ids: ['Checkout'] },
    'Expired certificate.',
  )
  await bob.call('resolve_incident', { incident_id: first, resolution: 'Renewed it.' })
  await make('Index is slow', { service_ids: ['Search'] }, 'Too many shards')
  await make('Login broken', {}, 'expired  CERTIFICATE')
  await make('Printer jam', { service_ids: ['Checkout'] })
  await make(
    'Certificate of checkout expired in secret',
    { restricted: true, service_ids: ['Checkout'] },
    'Expired certificate',
  )
  now = await ann.call('create_incident', {
    title: 'Expired certificate breaks checkout',
    severity: 'sev1',
    service_ids: ['Checkout'],
  })
  now = await ann.call('update_incident', { incident_id: now.key, cause: 'Expired certificate' })
})
after(() => workspace.close())

test('incidents with the same words, service and cause come first, with the reasons and their resolution', async () => {
  const { items } = await workspace.carol.call('find_similar_incidents', { incident_id: now.key })
  assert.deepEqual(
    items.map((item: any) => [item.incident.title, item.reasons.map((reason: any) => reason.kind)]),
    [
      ['Checkout fails with expired certificate', ['meaning', 'cause', 'service']],
      ['Login broken', ['cause']],
      ['Printer jam', ['service']],
    ],
  )
  assert.equal(items[0].resolution, 'Renewed it.')
  assert.equal(items[0].reasons[2].detail, 'Same services: Checkout')
  assert.ok(items.every((item: any) => item.score > 0 && item.score <= 1))
})

test('a restricted incident is found only by people who can see it', async () => {
  const titles = async (who: typeof workspace.ann) =>
    (await who.call('find_similar_incidents', { incident_id: now.key })).items.map(
      (item: any) => item.incident.title,
    )
  assert.ok((await titles(workspace.ann)).includes('Certificate of checkout expired in secret'))
  assert.ok(!(await titles(workspace.carol)).includes('Certificate of checkout expired in secret'))
})

test('pages of similar incidents neither repeat nor skip any', async () => {
  const { carol } = workspace
  const all = (await carol.call('find_similar_incidents', { incident_id: now.key })).items.map(
    (item: any) => item.incident.id,
  )
  const incidentIds: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await carol.call('find_similar_incidents', {
      incident_id: now.key,
      limit: 1,
      ...(cursor ? { cursor } : {}),
    })
    incidentIds.push(...page.items.map((item: any) => item.incident.id))
    cursor = page.next_cursor
    if (!page.has_more) break
  }
  assert.deepEqual(incidentIds, all)
})

test('labels of visible follow-up tasks count as shared labels', async () => {
  const { ann, carol } = workspace
  await ann.call('create_project', { name: 'Fixes', key: 'FIX' })
  const label = await ann.call('create_label', { name: 'network' })
  const [printer] = (await ann.call('list_incidents', { query: 'printer' })).items
  const index = (await ann.call('list_incidents', { query: 'shards' })).items[0]
  for (const source_id of [printer.id, index.id]) {
    const task = await ann.call('create_task_from_source', {
      source_type: 'incident',
      source_id,
      project_id: 'FIX',
    })
    await ann.call('update_task', { task_id: task.id, add_label_ids: [label.id] })
  }
  await ann.call('update_incident', { incident_id: index.key, service_ids: ['Search', 'Checkout'] })
  const reasons = async (who: typeof ann) =>
    (await who.call('find_similar_incidents', { incident_id: printer.key })).items
      .find((item: any) => item.incident.id === index.id)
      ?.reasons.map((reason: any) => reason.kind)
  assert.deepEqual(await reasons(ann), ['service', 'label'])
  assert.deepEqual(await reasons(carol), ['service'])
})
