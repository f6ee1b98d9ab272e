import type { Store } from '../db/open.ts'
import type { Role } from '../identity/people.ts'
import { endSessions } from '../identity/sessions.ts'
import { isId, newId, type Id } from '../kernel/ids.ts'
import { invalid, notFound, Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import { isProviderOnly } from '../identity/sign-in-policy.ts'
import { validateProvider, type NewProvider } from './provider-checks.ts'

/** Role or team that a group at the provider grants. */
export type GroupRule = { group: string } & ({ role: Role } | { team_id: Id<'teams'> })

/** An identity provider, with its list columns parsed. */
export interface Provider
  extends Pick<
    Row<'sso_providers'>,
    | 'id'
    | 'org_id'
    | 'name'
    | 'issuer'
    | 'client_id'
    | 'scopes'
    | 'accounts'
    | 'linking'
    | 'client_auth'
  > {
  /** Dotted path of the claim that lists groups. */
  groupsClaim: string | undefined
  rules: readonly GroupRule[]
  domains: readonly string[]
}

const maxProviders = 20
const maxRules = 200

function parseProviderRow(row: Row<'sso_providers'>): Provider {
  const { id, org_id, name, issuer, client_id, scopes, accounts, linking, client_auth } = row
  return {
    ...{ id, org_id, name, issuer, client_id, scopes, accounts, linking, client_auth },
    groupsClaim: row.groups_claim ?? undefined,
    rules: JSON.parse(row.rules_json) as GroupRule[],
    domains: JSON.parse(row.domains_json) as string[],
  }
}

/** The providers of one organization, or of all, by name. */
export async function listProviders(db: Store['read'], org?: Id<'orgs'>): Promise<Provider[]> {
  const all = db.selectFrom('sso_providers').selectAll().orderBy('name').orderBy('id')
  const rows = await (org === undefined ? all : all.where('org_id', '=', org)).execute()
  return rows.map(parseProviderRow)
}

/** Whether the instance has several organizations, which must not learn of each other. */
export async function hasSeveralOrganizations(db: Store['read']): Promise<boolean> {
  const rows = await db.selectFrom('orgs').select('id').limit(2).execute()
  return rows.length > 1
}

/** @throws Refusal not_found */
export async function requireProvider(db: Store['read'], id: string): Promise<Provider> {
  const row = isId('sso', id)
    ? await db
        .selectFrom('sso_providers')
        .selectAll()
        .where('id', '=', id as Id<'sso_providers'>)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('sign-in provider', 'id')
  return parseProviderRow(row)
}

/** Location of a provider's sealed client secret. */
export function secretLocation({ id, org_id }: Pick<Provider, 'id' | 'org_id'>) {
  return { org_id, table: 'sso_providers', row_id: id, column: 'client_secret' } as const
}

/** Adds a provider; inside a job of the writer. @throws Refusal */
export async function insertProvider(
  { store, secrets, clock }: Pick<App, 'store' | 'secrets' | 'clock'>,
  org: Id<'orgs'>,
  input: NewProvider,
): Promise<Provider> {
  const now = clock.now()
  const values = validateProvider(input)
  const others = await listProviders(store.write, org)
  if (others.length >= maxProviders)
    throw new Refusal('conflict', `There are ${maxProviders} sign-in providers already.`)
  if (others.some((row) => row.issuer === values.issuer && row.client_id === values.client_id))
    throw duplicateProviderRefusal()
  const row = {
    id: newId<'sso_providers'>('sso', now),
    org_id: org,
    ...values,
    rules_json: '[]',
    created_at: now,
    updated_at: now,
  }
  await store.write.insertInto('sso_providers').values(row).execute()
  await secrets.put(store.write, now, secretLocation(row), input.clientSecret)
  return parseProviderRow(row)
}

/** Changes the settings of a provider, except its issuer; inside a job of the writer. @throws Refusal */
export async function updateProvider(
  { store, secrets, clock }: Pick<App, 'store' | 'secrets' | 'clock'>,
  provider: Provider,
  { clientSecret, ...patch }: Partial<Omit<NewProvider, 'issuer'>>,
): Promise<void> {
  const now = clock.now()
  const { name, issuer, client_id: clientId, scopes, groupsClaim, ...accountSettings } = provider
  const { domains, accounts, linking, client_auth: clientAuth } = accountSettings
  const base = {
    name,
    issuer,
    clientId,
    scopes,
    groupsClaim,
    domains,
    accounts,
    linking,
    clientAuth,
  }
  const values = validateProvider({ ...base, ...patch, clientSecret: clientSecret ?? 'unchanged' })
  const others = await listProviders(store.write, provider.org_id)
  const isTaken = (row: Provider) =>
    row.id !== provider.id && row.issuer === values.issuer && row.client_id === values.client_id
  if (others.some(isTaken)) throw duplicateProviderRefusal()
  await store.write
    .updateTable('sso_providers')
    .set({ ...values, updated_at: now })
    .where('id', '=', provider.id)
    .execute()
  if (clientSecret !== undefined)
    await secrets.put(store.write, now, secretLocation(provider), clientSecret)
}

function duplicateProviderRefusal(): Refusal {
  return new Refusal('conflict', 'This client of this issuer is a sign-in provider already.', {
    field: 'issuer',
  })
}

/**
 * Removes a provider with its identities, tokens and groups; the accounts of its people stay, and sessions started
 * with it end. Inside a job of the writer. @throws Refusal conflict for the last one if people can sign in only with
 * otherwise
 */
export async function deleteProvider(
  { store, secrets }: Pick<App, 'store' | 'secrets'>,
  provider: Provider,
): Promise<void> {
  const { write } = store
  const others = await listProviders(write, provider.org_id)
  if (others.length === 1 && (await isProviderOnly(write, provider.org_id)))
    throw new Refusal('conflict', 'People sign in by this provider only.', {
      hint: 'Let them sign in in other ways first.',
    })
  await write
    .deleteFrom('scim_group_members')
    .where('group_id', 'in', (eb) =>
      eb.selectFrom('scim_groups').select('id').where('provider_id', '=', provider.id),
    )
    .execute()
  await write.deleteFrom('scim_groups').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('scim_people').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('scim_tokens').where('provider_id', '=', provider.id).execute()
  await endSessions(store, (eb) => eb('provider_id', '=', provider.id))
  await write.deleteFrom('sso_requests').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('sso_identities').where('provider_id', '=', provider.id).execute()
  await secrets.drop(write, secretLocation(provider))
  await write.deleteFrom('sso_providers').where('id', '=', provider.id).execute()
}

/** Replaces the group rules; inside a job of the writer. @throws Refusal */
export async function replaceRules(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  provider: Provider,
  rules: readonly GroupRule[],
): Promise<void> {
  if (rules.length > maxRules)
    throw invalid('rules', `A provider has at most ${maxRules} group rules.`)
  await store.write
    .updateTable('sso_providers')
    .set({ rules_json: JSON.stringify(rules), updated_at: clock.now() })
    .where('id', '=', provider.id)
    .execute()
}

/**
 * Validates rules from input: each has a role, or a team of the organization. Inside a job of the writer. @throws
 * Refusal
 */
export async function validateRules(
  { write }: Pick<App['store'], 'write'>,
  { org_id }: Pick<Provider, 'org_id'>,
  rules: readonly { group: string; role?: Role | undefined; team_id?: string | undefined }[],
): Promise<GroupRule[]> {
  const teams = await write
    .selectFrom('teams')
    .select('id')
    .where('org_id', '=', org_id)
    .where('deleted_at', 'is', null)
    .execute()
  return rules.map(({ group: text, role, team_id }) => {
    const group = text.trim()
    if (group === '') throw invalid('rules', 'each names a group.')
    if (role !== undefined && team_id === undefined) return { group, role }
    const team = role === undefined ? teams.find(({ id }) => id === team_id) : undefined
    if (!team) throw invalid('rules', 'each gives either a role, or a team of the organization.')
    return { group, team_id: team.id }
  })
}
