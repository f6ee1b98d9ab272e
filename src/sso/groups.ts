// Roles and teams from the provider's groups, set at each sign-in.

import { requireOtherAdmin, isEmergencyAccount } from '../identity/sign-in-policy.ts'
import { applyConsequences, type Role } from '../identity/people.ts'
import type { ActionOrigin } from '../audit/act.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import type { WriteContext } from '../operations/context.ts'
import { personRequest } from '../operations/endpoints/person-request.ts'
import type { Row } from '../records/resource.ts'
import type { Provider } from './providers.ts'

const rolesByRank: readonly Role[] = ['admin', 'member', 'guest']

/**
 * The highest role from groups; `member` if none of the role groups is among them; undefined if no rules concern
 * roles.
 */
export function roleByGroups(
  { rules }: Pick<Provider, 'rules'>,
  groups: readonly string[] | undefined,
): Role | undefined {
  const roleRules = rules.filter((rule) => 'role' in rule)
  if (roleRules.length === 0 || groups === undefined) return undefined
  const roles = roleRules.filter((rule) => groups.includes(rule.group)).map((rule) => rule.role)
  return rolesByRank.find((role) => roles.includes(role)) ?? 'member'
}

/**
 * Updates a person's role and teams from their groups, on their own behalf, removing outdated ones. Emergency
 * accounts and the last administrator keep their role.
 */
export async function applyGroups(
  app: App,
  provider: Provider,
  person: Row<'users'>,
  { groups, from }: { groups: readonly string[] | undefined; from: ActionOrigin },
): Promise<void> {
  if (provider.rules.length === 0) return
  if (groups === undefined) {
    if (provider.groupsClaim === undefined) return
    app.log.warn('a sign-in provider named no groups; role and teams stay as they are', {
      provider: provider.id,
      person: person.id,
    })
    return
  }
  const { id, org_id, email, display_name, role, timezone } = person
  const actor = {
    id,
    org_id,
    email,
    display_name,
    role,
    timezone,
    via: 'web',
    key: undefined,
  } as const
  const request = personRequest(app, actor, {
    tool: 'apply_sso_groups',
    args: {},
    transport: 'web',
    requestId: from.requestId ?? '',
    route: 'GET /web/sso/{id}/callback',
    ip: from.ip ?? '',
    client: from.client,
  })
  await request.change((ctx) => setRoleAndTeams(app, ctx, provider, { person, groups }), {
    provider: provider.id,
  })
}

/** Like applyGroups(), inside a job of the writer, on behalf of the context's person. */
export async function setRoleAndTeams(
  app: App,
  ctx: WriteContext,
  provider: Provider,
  { person, groups }: { person: Pick<Row<'users'>, 'id'>; groups: readonly string[] },
): Promise<void> {
  await applyRole(app, ctx, person, roleByGroups(provider, groups))
  await applyTeams(app, ctx, provider, { person, groups })
}

async function applyRole(
  app: App,
  ctx: WriteContext,
  { id }: Pick<Row<'users'>, 'id'>,
  role: Role | undefined,
): Promise<void> {
  const { store, clock, log } = app
  if (role === undefined || (await isEmergencyAccount(store.write, id))) return
  const row = await store.write
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (row.role === role) return
  try {
    await requireOtherAdmin(store, row, { role })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    log.warn('the last administrator keeps their role, whatever the provider says', { person: id })
    return
  }
  await ctx.change('users', row, { role })
  await applyConsequences(store, clock.now(), row, { role })
}

async function applyTeams(
  { store }: App,
  ctx: WriteContext,
  provider: Provider,
  { person, groups }: { person: Pick<Row<'users'>, 'id'>; groups: readonly string[] },
): Promise<void> {
  const rules = provider.rules.filter((rule) => 'team_id' in rule)
  for (const team of new Set(rules.map((rule) => rule.team_id))) {
    const shouldBeMember = rules.some(
      (rule) => rule.team_id === team && groups.includes(rule.group),
    )
    const exists = await store.write
      .selectFrom('teams')
      .select('id')
      .where('org_id', '=', provider.org_id)
      .where('id', '=', team)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!exists) continue
    const member = await store.write
      .selectFrom('team_members')
      .selectAll()
      .where('team_id', '=', team)
      .where('person_id', '=', person.id)
      .executeTakeFirst()
    if (shouldBeMember && !member)
      await ctx.add('team_members', { team_id: team, person_id: person.id, role: 'member' })
    if (!shouldBeMember && member) await ctx.remove('team_members', member)
  }
}
