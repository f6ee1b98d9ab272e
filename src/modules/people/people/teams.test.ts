import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace, type KeyNarrowing } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** A key of ann's. */
const key = (more: KeyNarrowing = {}) => workspace.key(workspace.ann, more)

const roles = (team: { members: { person: { title: string }; role: string }[] }) =>
  team.members.map((member) => `${member.person.title} ${member.role}`)

test('an administrator creates a team with a lead and members, lead first', async () => {
  const { ann, bob, carol } = workspace
  const team = await ann.call('create_team', {
    name: ' Core ',
    description: 'The core',
    lead_id: bob.id,
    member_ids: [carol.id, 'bob@acme.test', 'me'],
  })
  assert.equal(team.name, 'Core')
  assert.equal(team.lead.title, 'Bob')
  assert.equal(team.members[0].person.title, 'Bob')
  assert.deepEqual(roles(team).sort(), ['Ann member', 'Bob lead', 'Carol member'])
  assert.equal((await bob.call('get_person', { person_id: 'me' })).teams[0].title, 'Core')
})

test('members, and keys without the administrator grant, cannot create teams', async () => {
  const { ann, bob } = workspace
  assert.equal((await bob.refused('create_team', { name: 'Mine' })).code, 'permission_denied')
  await assert.rejects(
    ann.call('create_team', { name: 'Keyed' }, { key: await key() }),
    /does not have administrator rights/,
  )
  const team = await ann.call(
    'create_team',
    { name: 'Keyed' },
    { key: await key({ admin_grant: true }) },
  )
  assert.deepEqual(team.members, [])
  assert.equal(team.lead, undefined)
})

test('a taken name is refused regardless of case, and the refusal names the team', async () => {
  const { ann } = workspace
  const team = await ann.call('create_team', { name: 'Ärzte' })
  const refusal = await ann.refused('create_team', { name: 'ÄRZTE ' })
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.more.context, { existing_id: team.id })
  const other = await ann.call('create_team', { name: 'Nurses' })
  assert.equal(
    (await ann.refused('update_team', { team_id: other.id, name: 'ärzte' })).code,
    'conflict',
  )
  assert.equal((await ann.call('update_team', { team_id: team.id, name: 'ärzte' })).name, 'ärzte')
  assert.equal((await ann.refused('create_team', { name: '  ' })).code, 'invalid_argument')
  for (const name of [
    'İstanbul',
    'tea_01kdvq0c000000000000000000',
    'ΣΊΣΥΦΟΣ',
    'Straße',
    'a%b_c\\',
  ]) {
    await ann.call('create_team', { name })
    assert.equal((await ann.refused('create_team', { name })).code, 'conflict', name)
    assert.equal((await ann.call('list_teams', { query: name })).items[0].name, name)
  }
})

test('an idempotency key creates only one team', async () => {
  const { ann } = workspace
  const first = await ann.call('create_team', { name: 'Once', idempotency_key: 'one' })
  assert.equal(
    (await ann.call('create_team', { name: 'Once', idempotency_key: 'one' })).id,
    first.id,
  )
})

test('the lead changes the team and hands it on; from then on only the new lead can', async () => {
  const { ann, bob, carol } = workspace
  const team = await ann.call('create_team', { name: 'Design', lead_id: bob.id })
  assert.equal(
    (await carol.refused('update_team', { team_id: team.id, description: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.call('update_team', { team_id: 'design', description: 'Looks' })).description,
    'Looks',
  )
  const handed = await bob.call('update_team', { team_id: team.id, lead_id: carol.id })
  assert.equal(handed.lead.title, 'Carol')
  assert.deepEqual(roles(handed), ['Carol lead', 'Bob member'])
  assert.ok(handed.revision > team.revision)
  assert.equal(
    (await bob.refused('update_team', { team_id: team.id, name: 'y' })).code,
    'permission_denied',
  )
  const cleared = await carol.call('update_team', {
    team_id: team.id,
    lead_id: null,
    description: null,
  })
  assert.equal(cleared.lead, undefined)
  assert.equal(cleared.description, undefined)
  assert.deepEqual(roles(cleared).sort(), ['Bob member', 'Carol member'])
})

test('members are added, change roles and are removed', async () => {
  const { ann, bob, carol } = workspace
  const team = await ann.call('create_team', { name: 'Ops', lead_id: bob.id })
  const membership = { team_id: team.id, person_id: carol.id }
  assert.deepEqual(roles(await bob.call('add_team_member', membership)), [
    'Bob lead',
    'Carol member',
  ])
  const again = await bob.call('add_team_member', membership)
  assert.deepEqual(roles(again), ['Bob lead', 'Carol member'])
  assert.deepEqual(roles(await bob.call('add_team_member', { ...membership, role: 'lead' })), [
    'Carol lead',
    'Bob member',
  ])
  assert.deepEqual(
    roles(await carol.call('add_team_member', membership)),
    ['Carol lead', 'Bob member'],
    'without a role, the current one stays',
  )
  assert.equal((await bob.refused('remove_team_member', membership)).code, 'permission_denied')
  const removal = await ann.call('remove_team_member', { team_id: team.id, person_id: bob.id })
  assert.equal(removal.item.title, 'Bob')
  assert.equal(removal.restorable_until, undefined)
  assert.equal(
    (await ann.refused('remove_team_member', { team_id: team.id, person_id: bob.id })).code,
    'not_found',
  )
  assert.deepEqual(roles(await carol.call('add_team_member', { ...membership, role: 'member' })), [
    'Carol member',
  ])
})

test('a deactivated person cannot join or lead a team', async () => {
  const { ann } = workspace
  const dan = await workspace.person('Dan')
  const team = await ann.call('create_team', { name: 'Support', member_ids: [dan.id] })
  await workspace.app.store.writer.run(
    async () =>
      void (await workspace.app.store.write
        .updateTable('users')
        .set({ status: 'deactivated' })
        .where('id', '=', dan.id)
        .execute()),
  )
  assert.equal(
    (await ann.refused('create_team', { name: 'New', lead_id: dan.id })).code,
    'conflict',
  )
  assert.equal(
    (await ann.refused('update_team', { team_id: team.id, lead_id: dan.id })).more.field,
    'lead_id',
  )
  await ann.call('remove_team_member', { team_id: team.id, person_id: dan.id })
  assert.equal(
    (await ann.refused('add_team_member', { team_id: team.id, person_id: dan.id })).more.field,
    'person_id',
  )
})

test('only an administrator can trash a team, and a dry run keeps it', async () => {
  const { ann, bob } = workspace
  const createdTeam = await ann.call('create_team', { name: 'Doomed', lead_id: bob.id })
  assert.equal(
    (await bob.refused('delete_team', { team_id: createdTeam.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await ann.call('delete_team', { team_id: createdTeam.id, dry_run: true })).dry_run,
    true,
  )
  assert.equal((await ann.call('list_teams', { query: 'doomed' })).items.length, 1)
  const deletion = await ann.call('delete_team', { team_id: createdTeam.id })
  assert.equal(deletion.restorable_until, '2026-12-20T12:00:00.000Z')
  assert.equal((await ann.call('list_teams', { query: 'doomed' })).items.length, 0)
  assert.ok(
    !(await bob.call('get_me')).teams.some((team: { title: string }) => team.title === 'Doomed'),
  )
  assert.equal(
    (await ann.call('create_team', { name: 'Doomed' })).name,
    'Doomed',
    'its name is free again',
  )
})

test('teams are listed by name, paginated, and filtered by text and person', async () => {
  const { ann, carol } = workspace
  await ann.call('create_team', { name: 'Page one', member_ids: [carol.id] })
  await ann.call('create_team', { name: 'Page two', description: '100% remote' })
  const first = await ann.call('list_teams', { query: 'PAGE', limit: 1 })
  assert.equal(first.has_more, true)
  const second = await ann.call('list_teams', {
    query: 'PAGE',
    limit: 1,
    cursor: first.next_cursor,
  })
  assert.deepEqual(
    [...first.items, ...second.items].map((item) => item.name),
    ['Page one', 'Page two'],
  )
  assert.equal(second.has_more, false)
  assert.deepEqual(
    (await ann.call('list_teams', { query: '100%' })).items.map(
      (item: { name: string }) => item.name,
    ),
    ['Page two'],
  )
  assert.deepEqual(
    (await ann.call('list_teams', { query: 'page_' })).items,
    [],
    'wildcards mean themselves',
  )
  assert.deepEqual(
    (await ann.call('list_teams', { query: 'page', person_id: 'carol@acme.test' })).items.map(
      (item: { name: string }) => item.name,
    ),
    ['Page one'],
  )
})

test('teams of another organization are not found', async () => {
  const { ann, eve } = workspace
  const team = await ann.call('create_team', { name: 'Hidden' })
  assert.deepEqual((await eve.call('list_teams')).items, [])
  for (const [tool, args] of [
    ['update_team', { name: 'x' }],
    ['delete_team', {}],
    ['add_team_member', { person_id: 'me' }],
    ['remove_team_member', { person_id: 'me' }],
  ] as const) {
    assert.equal((await eve.refused(tool, { team_id: team.id, ...args })).code, 'not_found')
    assert.equal((await eve.refused(tool, { team_id: 'Hidden', ...args })).code, 'not_found')
  }
  assert.equal(
    (await ann.refused('add_team_member', { team_id: team.id, person_id: eve.id })).code,
    'not_found',
  )
})
