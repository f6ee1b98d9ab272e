import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keyOf, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const sectionsOf = (answer: any) =>
  new Map<string, any>(answer.sections.map((section: any) => [section.kind, section]))

test('everything of a departing person is listed and handed over, even items the administrator cannot see, and undo returns it', async () => {
  const { ann, bob, carol } = workspace
  await bob.call('create_project', { name: 'Seen', key: 'SEEN', member_ids: [ann.id] })
  await bob.call('create_project', { name: 'Hidden', key: 'HID' })
  const task = (project_id: string) =>
    bob.call('create_task', { project_id, title: `In ${project_id}`, assignee_ids: [bob.id] })
  const [seen, hidden, done] = [await task('SEEN'), await task('HID'), await task('SEEN')]
  await bob.call('complete_task', { task_id: done.key })
  await ann.call('create_team', { name: 'Core', lead_id: bob.id })
  const deal = await bob.call('create_deal', { name: 'Renewal' })
  await bob.call('create_contact', { name: 'Erika', owner_id: bob.id })
  await bob.call('create_goal', { title: 'Grow', period: '2027', level: 'personal' })
  const incident = await bob.call('create_incident', { title: 'Down', severity: 'sev2' })
  await bob.call('assign_incident_role', {
    incident_id: incident.key,
    role: 'lead',
    person_id: bob.id,
  })
  const schedule = await bob.call('create_on_call_schedule', {
    name: 'Night',
    timezone: 'Europe/Berlin',
    layers: [{ people: [bob.id, ann.id], rotation: 'weekly' }],
  })
  await bob.call('create_page', { title: 'Diary', body_markdown: 'x', visibility: 'private' })

  const args = { person_id: bob.id, to: carol.id }
  const plan = await ann.call('hand_over_person', { ...args, dry_run: true })
  const planned = sectionsOf(plan)
  for (const [kind, count, unseen] of [
    ['projects', 2, 1],
    ['tasks', 2, 1],
    ['teams', 1, 0],
    ['deals', 1, 0],
    ['contacts', 1, 0],
    ['goals', 1, 1],
    ['incident_roles', 1, 0],
    ['on_call_schedules', 1, 0],
    ['pages', 1, 1],
  ] as const)
    assert.deepEqual(
      [kind, planned.get(kind)?.count, planned.get(kind)?.hidden],
      [kind, count, unseen],
    )
  assert.doesNotMatch(JSON.stringify(plan), /Hidden|HID|Diary/)
  assert.match(planned.get('pages').stays, /keep their owner/)
  assert.equal((await ann.call('get_project', { project_id: 'SEEN' })).lead.id, bob.id, 'a dry run')

  const toHerself = await ann.call('hand_over_person', { ...args, to: ann.id, dry_run: true })
  assert.equal(sectionsOf(toHerself).get('tasks').hidden, 1, 'as before she takes over')

  const handed = await ann.call('hand_over_person', args)
  assert.equal(handed.handed_over, plan.handed_over)
  const hers = (await carol.call('list_tasks', { assignee: 'me' })).items.map((row: any) => row.key)
  assert.deepEqual(hers.sort(), [hidden.key, seen.key].sort())
  assert.equal((await carol.call('get_project', { project_id: 'HID' })).lead.id, carol.id)
  assert.equal((await ann.call('get_deal', { deal_id: deal.id })).owner.id, carol.id)
  const lead = (await ann.call('get_incident', { incident_id: incident.key })).roles.lead
  assert.equal(lead.id, carol.id)
  const turns = await ann.call('list_on_call_schedules', {})
  const [layer] = turns.items.find((item: any) => item.id === schedule.id).layers
  assert.deepEqual(
    layer.people.map((person: any) => person.id),
    [carol.id, ann.id],
  )
  const left = sectionsOf(await ann.call('hand_over_person', { ...args, dry_run: true }))
  assert.deepEqual([...left.keys()], ['pages'], 'nothing else is left')

  const undone = await ann.call('undo_api_call', { call_id: handed.undo_call_id })
  assert.equal(undone.undone, true, JSON.stringify(undone.refused))
  assert.equal((await bob.call('get_project', { project_id: 'HID' })).lead.id, bob.id)
  assert.equal((await carol.refused('get_project', { project_id: 'HID' })).code, 'not_found')
  const his = (await bob.call('list_tasks', { assignee: 'me' })).items
  assert.ok(his.some((row: any) => row.key === hidden.key))
  assert.equal((await ann.call('get_deal', { deal_id: deal.id })).owner.id, bob.id)
})

test('only an administrator with an administrator key or the person can hand over, and only to an active member', async () => {
  const { ann, bob, carol, eve } = workspace
  const args = { person_id: bob.id, to: carol.id, dry_run: true }
  assert.equal((await carol.refused('hand_over_person', args)).code, 'permission_denied')
  const { id } = await workspace.key(ann)
  const key = keyOf({ id, name: 'plain' })
  await assert.rejects(ann.call('hand_over_person', args, { via: 'mcp', key }), /administrator/)
  assert.equal((await bob.call('hand_over_person', args)).dry_run, true)
  for (const to of [bob.id, eve.id])
    await assert.rejects(bob.call('hand_over_person', { ...args, to }))
  const partial = await ann.call('hand_over_person', { ...args, kinds: ['deals', 'key_results'] })
  assert.deepEqual([...sectionsOf(partial).keys(), ...partial.none], ['deals', 'key_results'])
})
