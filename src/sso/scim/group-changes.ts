// Applies a provider's changes to groups, and their effects on people's roles and teams.

import { lowerCaseOf } from '../../db/text-conditions.ts'
import { chunks } from '../../kernel/chunks.ts'
import { newId, type Id } from '../../kernel/ids.ts'
import { setRoleAndTeams } from '../groups.ts'
import { runAsProvider, type ScimCaller } from './caller.ts'
import { groupNamesOf, requireGroup, groupNamesOfPerson, type ScimGroup } from './access-groups.ts'
import type { GroupChange, GroupValues } from './group-values.ts'
import { findPerson } from './access-people.ts'
import { takeIntoManagement } from './person-changes.ts'
import { invalidValue, ScimRefusal } from './refusals.ts'

const peoplePerJob = 50

/** @throws ScimRefusal uniqueness, invalidValue */
export async function createGroup(caller: ScimCaller, values: GroupValues): Promise<ScimGroup> {
  const { app, provider } = caller
  const id = newId<'scim_groups'>('scg', app.clock.now())
  const act = {
    tool: 'scim_create_group',
    items: [],
    loggedArguments: { group: values.displayName },
  }
  const changed = await runAsProvider(caller, act, async ({ now }) => {
    const group: ScimGroup = {
      id,
      org_id: provider.org_id,
      provider_id: provider.id,
      display_name: values.displayName,
      external_id: values.externalId ?? null,
      created_at: now,
      updated_at: now,
    }
    await requireUniqueGroup(caller, group)
    await app.store.write.insertInto('scim_groups').values(group).execute()
    const people = await changeMembers(caller, id, { kind: 'add', members: values.members ?? [] })
    return { value: { group, people }, changed: true }
  })
  await applyRules(caller, [changed.group], changed.people)
  return changed.group
}

/** Replaces a group; members stay if the request omits them. @throws Refusal not_found; ScimRefusal */
export function replaceGroup(
  caller: ScimCaller,
  id: string,
  { displayName, externalId, members }: GroupValues,
): Promise<ScimGroup> {
  return changeGroup(caller, id, [
    { kind: 'name', displayName },
    { kind: 'externalId', externalId },
    ...(members ? [{ kind: 'set' as const, members }] : []),
  ])
}

/** @throws Refusal not_found; ScimRefusal */
export async function changeGroup(
  caller: ScimCaller,
  id: string,
  changes: readonly GroupChange[],
): Promise<ScimGroup> {
  const { app, provider } = caller
  const loggedChange = { tool: 'scim_update_group', items: [], loggedArguments: { group: id } }
  const result = await runAsProvider(caller, loggedChange, async ({ now }) => {
    const { write } = app.store
    const before = await requireGroup(write, provider, id)
    const after = changes.reduce(applyNameChange, before)
    const isRenamed = groupNamesOf(after).join('\n') !== groupNamesOf(before).join('\n')
    if (isRenamed) await requireUniqueGroup(caller, after)
    const people = new Set(isRenamed ? await membersOf(caller, before.id) : [])
    for (const change of changes)
      if ('members' in change)
        for (const person of await changeMembers(caller, before.id, change)) people.add(person)
    const group = { ...after, updated_at: now }
    await write
      .updateTable('scim_groups')
      .set({ display_name: group.display_name, external_id: group.external_id, updated_at: now })
      .where('id', '=', group.id)
      .execute()
    return { value: { before, group, people }, changed: isRenamed || people.size > 0 }
  })
  await applyRules(caller, [result.before, result.group], result.people)
  return result.group
}

/** @throws Refusal not_found */
export async function deleteGroup(caller: ScimCaller, id: string): Promise<void> {
  const { app, provider } = caller
  const act = { tool: 'scim_delete_group', items: [], loggedArguments: { group: id } }
  const done = await runAsProvider(caller, act, async () => {
    const { write } = app.store
    const group = await requireGroup(write, provider, id)
    const people = await membersOf(caller, group.id)
    await write.deleteFrom('scim_group_members').where('group_id', '=', group.id).execute()
    await write.deleteFrom('scim_groups').where('id', '=', group.id).execute()
    return { value: { group, people }, changed: true }
  })
  await applyRules(caller, [done.group], done.people)
}

function applyNameChange(group: ScimGroup, change: GroupChange): ScimGroup {
  if (change.kind === 'name') return { ...group, display_name: change.displayName }
  if (change.kind === 'externalId') return { ...group, external_id: change.externalId ?? null }
  return group
}

/** Names of groups are compared case-insensitively, as required by their schema. */
async function requireUniqueGroup({ app, provider }: ScimCaller, group: ScimGroup): Promise<void> {
  const name = group.display_name.toLowerCase()
  const other = await app.store.write
    .selectFrom('scim_groups')
    .select('display_name')
    .where('provider_id', '=', provider.id)
    .where('id', '!=', group.id)
    .where((eb) =>
      eb.or([
        eb(lowerCaseOf(eb.ref('display_name'), group.display_name), '=', name),
        ...(group.external_id === null ? [] : [eb('external_id', '=', group.external_id)]),
      ]),
    )
    .executeTakeFirst()
  if (other)
    throw new ScimRefusal(
      'uniqueness',
      `Another group has the ${other.display_name.toLowerCase() === name ? 'displayName' : 'externalId'}.`,
    )
}

/** Changes members; inside a job of the writer. Returns all people it concerns, even those whose membership did not change. */
async function changeMembers(
  { app, provider, ...caller }: ScimCaller,
  group: ScimGroup['id'],
  { kind, members }: Extract<GroupChange, { members: readonly string[] }>,
): Promise<Id<'users'>[]> {
  const { write } = app.store
  const currentMembers = kind === 'set' ? await membersOf({ app }, group) : []
  const requestedMembers = new Set(members)
  const removedIds =
    kind === 'remove' ? members : currentMembers.filter((id) => !requestedMembers.has(id))
  for (const id of removedIds)
    await write
      .deleteFrom('scim_group_members')
      .where('group_id', '=', group)
      .where('person_id', '=', id as Id<'users'>)
      .execute()
  if (kind === 'remove') return removedIds as Id<'users'>[]
  const people = [...(removedIds as Id<'users'>[])]
  for (const id of requestedMembers) {
    const person = await findPerson(write, provider, id)
    if (!person) throw invalidValue(`members: there is no user ${JSON.stringify(id.slice(0, 60))}.`)
    await takeIntoManagement({ app, provider, ...caller }, person)
    await write
      .insertInto('scim_group_members')
      .values({ group_id: group, person_id: person.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    people.push(person.id)
  }
  return people
}

/** Whether the provider manages a person. A removal may list anyone, but only managed people get roles and teams by its rules. */
async function isManaged({ app, provider }: ScimCaller, id: Id<'users'>): Promise<boolean> {
  const row = await app.store.write
    .selectFrom('scim_people')
    .select('person_id')
    .where('person_id', '=', id)
    .where('provider_id', '=', provider.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

async function membersOf(
  { app }: Pick<ScimCaller, 'app'>,
  group: ScimGroup['id'],
): Promise<Id<'users'>[]> {
  const rows = await app.store.write
    .selectFrom('scim_group_members')
    .select('person_id')
    .where('group_id', '=', group)
    .execute()
  return rows.map((row) => row.person_id)
}

/**
 * Sets people's roles and teams from their current groups, a few people per job. Handles all people listed in a request,
 * so that a repeated request completes an interrupted one.
 */
async function applyRules(
  caller: ScimCaller,
  groups: readonly ScimGroup[],
  people: Iterable<Id<'users'>>,
): Promise<void> {
  const { app, provider } = caller
  const names = new Set(groups.flatMap(groupNamesOf))
  if (!provider.rules.some((rule) => names.has(rule.group))) return
  for (const batch of chunks([...people], peoplePerJob)) {
    const act = {
      tool: 'scim_apply_groups',
      items: batch.map((id) => ({ type: 'person', id })),
      loggedArguments: { people: batch.length },
    }
    await runAsProvider(caller, act, async (ctx) => {
      for (const id of batch) {
        if (!(await isManaged(caller, id))) continue
        const groupNames = (await groupNamesOfPerson(app.store.write, provider, id)) ?? []
        await setRoleAndTeams(app, ctx, provider, { person: { id }, groups: groupNames })
      }
      return { value: undefined, changed: false }
    })
  }
}
