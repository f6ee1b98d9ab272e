import { isIP } from 'node:net'
import type { Store } from '../db/open.ts'
import type { Role } from '../identity/people.ts'
import { isId, newId, type Id } from '../kernel/ids.ts'
import { invalid, notFound, Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'

/** What membership of a group at the provider gives here. */
export type GroupRule = { group: string } & ({ role: Role } | { team_id: Id<'teams'> })

/** An identity provider, with its lists read. */
export interface Provider
  extends Pick<
    Row<'sso_providers'>,
    'id' | 'org_id' | 'name' | 'issuer' | 'client_id' | 'scopes' | 'accounts' | 'linking'
  > {
  /** Dotted path of the claim that lists groups. */
  groupsClaim: string | undefined
  rules: readonly GroupRule[]
  domains: readonly string[]
}

/** What an administrator says of a new provider. */
export interface NewProvider {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes?: string | undefined
  groupsClaim?: string | undefined
  domains?: readonly string[] | undefined
  accounts?: Provider['accounts'] | undefined
  linking?: Provider['linking'] | undefined
}

const maxProviders = 20
const maxRules = 200
const usualScopes = 'openid profile email'

function providerOf(row: Row<'sso_providers'>): Provider {
  const { id, org_id, name, issuer, client_id, scopes, accounts, linking } = row
  return {
    ...{ id, org_id, name, issuer, client_id, scopes, accounts, linking },
    groupsClaim: row.groups_claim ?? undefined,
    rules: JSON.parse(row.rules_json) as GroupRule[],
    domains: JSON.parse(row.domains_json) as string[],
  }
}

/** The providers of one organization, or of all, by name. */
export async function listProviders(db: Store['read'], org?: Id<'orgs'>): Promise<Provider[]> {
  const all = db.selectFrom('sso_providers').selectAll().orderBy('name').orderBy('id')
  const rows = await (org === undefined ? all : all.where('org_id', '=', org)).execute()
  return rows.map(providerOf)
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
  return providerOf(row)
}

/** Where the client secret of a provider is sealed. */
export function secretLocation({ id, org_id }: Pick<Provider, 'id' | 'org_id'>) {
  return { org_id, table: 'sso_providers', row_id: id, column: 'client_secret' } as const
}

/** Adds a provider; inside a job of the writer. @throws Refusal */
export async function insertProvider(
  { store, secrets, clock }: Pick<App, 'store' | 'secrets' | 'clock'>,
  org: Id<'orgs'>,
  given: NewProvider,
): Promise<Provider> {
  const now = clock.now()
  const values = checkedProvider(given)
  const others = await listProviders(store.write, org)
  if (others.length >= maxProviders)
    throw new Refusal('conflict', `There are ${maxProviders} sign-in providers already.`)
  if (others.some((row) => row.issuer === values.issuer && row.client_id === values.client_id))
    throw new Refusal('conflict', 'This client of this issuer is a sign-in provider already.', {
      field: 'issuer',
    })
  const row = {
    id: newId<'sso_providers'>('sso', now),
    org_id: org,
    ...values,
    rules_json: '[]',
    created_at: now,
    updated_at: now,
  }
  await store.write.insertInto('sso_providers').values(row).execute()
  await secrets.put(store.write, now, secretLocation(row), given.clientSecret)
  return providerOf(row)
}

/** Removes a provider with the identities of its people, whose accounts stay, and its tokens and groups; their sessions that began with it end. Inside a job of the writer. */
export async function deleteProvider(
  { store, secrets }: Pick<App, 'store' | 'secrets'>,
  provider: Provider,
): Promise<void> {
  const { write } = store
  await write
    .deleteFrom('scim_group_members')
    .where('group_id', 'in', (eb) =>
      eb.selectFrom('scim_groups').select('id').where('provider_id', '=', provider.id),
    )
    .execute()
  await write.deleteFrom('scim_groups').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('scim_people').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('scim_tokens').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('web_sessions').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('sso_requests').where('provider_id', '=', provider.id).execute()
  await write.deleteFrom('sso_identities').where('provider_id', '=', provider.id).execute()
  await secrets.drop(write, secretLocation(provider))
  await write.deleteFrom('sso_providers').where('id', '=', provider.id).execute()
}

/** Replaces what groups give; inside a job of the writer. @throws Refusal */
export async function saveRules(
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

function checkedProvider(given: NewProvider) {
  const name = given.name.trim()
  if (name === '' || name.length > 60) throw invalid('name', 'give a name of 1 to 60 characters.')
  if (given.clientId.trim() === '' || given.clientId.length > 300)
    throw invalid('client_id', 'give the client id that the provider shows.')
  if (given.clientSecret === '' || given.clientSecret.length > 1000)
    throw invalid('client_secret', 'give the client secret that the provider shows.')
  return {
    name,
    issuer: checkedIssuer(given.issuer),
    client_id: given.clientId.trim(),
    scopes: checkedScopes(given.scopes),
    ...checkedJoining(given),
  }
}

function checkedJoining(given: NewProvider) {
  const { accounts = 'invited', linking = 'ask' } = given
  const groupsClaim = given.groupsClaim?.trim() || null
  const domains = (given.domains ?? []).map((domain) => domain.trim().toLowerCase())
  const wrong = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (wrong !== undefined)
    throw invalid('domains', `${JSON.stringify(wrong)} is not a domain such as example.org.`)
  if ((accounts === 'domain' || linking === 'trusted') && domains.length === 0)
    throw invalid('domains', 'name the domains whose addresses belong to the organization.')
  if (accounts === 'group' && groupsClaim === null)
    throw invalid('groups_claim', 'name the claim that lists groups.')
  return { groups_claim: groupsClaim, domains_json: JSON.stringify(domains), accounts, linking }
}

/** An https address; plain http only on this machine. Issuers for the people of any tenant are refused: whoever has one could sign in. */
function checkedIssuer(text: string): string {
  const issuer = text.trim()
  const url = issuer.length <= 500 ? URL.parse(issuer) : null
  if (url?.search !== '' || url.hash !== '' || url.username !== '')
    throw invalid(
      'issuer',
      'give the issuer address, such as https://login.example.org/realms/work.',
    )
  if (url.protocol !== 'https:' && !isLoopback(url))
    throw invalid('issuer', 'the issuer has to be an https address.')
  if (
    url.hostname === 'login.microsoftonline.com' &&
    /^\/(?:common|organizations|consumers)(?:\/|$)/i.test(url.pathname)
  )
    throw invalid(
      'issuer',
      'this issuer lets in people of any tenant.',
      'Give the one of your tenant: https://login.microsoftonline.com/<tenant id>/v2.0.',
    )
  return issuer
}

/** Whether an issuer is on this machine, where plain http stays inside it. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}

function checkedScopes(text: string | undefined): string {
  const scopes = (text ?? usualScopes).split(/\s+/).filter((scope) => scope !== '')
  if (
    scopes.length > 20 ||
    scopes.some((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(scope))
  )
    throw invalid('scopes', 'give scopes separated by spaces.')
  return [...new Set(['openid', ...scopes])].join(' ')
}
