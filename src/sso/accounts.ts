// Resolves the account for a sign-in at a provider: the linked one, otherwise by verified address, according to the
// provider's rules.

import { recordAction } from '../audit/act.ts'
import type { SignInFrom } from '../identity/sign-in.ts'
import { isEmergencyAccount } from '../identity/sign-in-policy.ts'
import { checkPerson, insertPerson } from '../identity/people.ts'
import { isTimezone } from '../kernel/fields.ts'
import { Refusal } from '../kernel/refusal.ts'
import { notifyPeople } from '../notify/notifications.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import { isInDomains, type ProviderPerson } from './claims.ts'
import type { Provider } from './providers.ts'
import {
  hasOtherSignInMethod,
  isProvisionedAccount,
  personByExternalId,
} from './scim/account-ownership.ts'
import { roleByGroups } from './groups.ts'

type Person = Row<'users'>

/** An account with this address exists, and its owner must sign in to it once to connect the provider. */
export const mustLinkFirst = 'link first'

/**
 * The person for a sign-in; inside a job of the writer.
 * @throws Refusal permission_denied with a message for that person
 */
export async function resolvePerson(
  app: App,
  provider: Provider,
  who: ProviderPerson,
  from: SignInFrom['from'],
): Promise<Person | typeof mustLinkFirst> {
  const linked = await linkedPerson(app, provider, who)
  if (linked) return requireActive(linked)
  const provisioned = await personByExternalId(app.store.write, provider, who)
  if (provisioned && (await isProvisionedAccount(app.store.write, provider, who, provisioned)))
    return linkActive(app, provider, who, provisioned)
  if (who.email === undefined)
    throw signInRefusal(`${provider.name} did not say your email address, so no account was found.`)
  const existing = await app.store.write
    .selectFrom('users')
    .selectAll()
    .where('email', '=', who.email)
    .executeTakeFirst()
  if (existing && existing.org_id === provider.org_id) {
    requireActive(existing)
    if (await isProvisionedAccount(app.store.write, provider, who, existing))
      return linkActive(app, provider, who, existing)
    return linkExisting(app, provider, who, existing)
  }
  if (!who.isEmailVerified)
    throw signInRefusal(`${provider.name} does not say that your email address is verified.`)
  if (existing) throw signInRefusal('Your email address cannot be used for a new account here.')
  return createPerson(app, provider, { ...who, email: who.email }, from)
}

/** Links an account at a provider to a person; inside a job of the writer. @throws Refusal conflict if it is linked to someone else */
export async function linkIdentity(
  app: App,
  provider: Provider,
  who: ProviderPerson,
  person: Pick<Person, 'id' | 'org_id'>,
): Promise<void> {
  const { write } = app.store
  const now = app.clock.now()
  const other = await linkedPerson(app, provider, who)
  if (other && other.id !== person.id)
    throw new Refusal('conflict', `This account of ${provider.name} belongs to another person.`)
  if (other) return
  await write
    .insertInto('sso_identities')
    .values({
      provider_id: provider.id,
      subject: who.subject,
      org_id: person.org_id,
      person_id: person.id,
      email: who.email ?? null,
      created_at: now,
      used_at: now,
    })
    .execute()
  await notifyPeople(write, now, person.org_id, [person.id], {
    kind: 'security',
    item: { type: 'person', id: person.id },
    actor: person.id,
    text: `Your account can now be opened by signing in with ${provider.name}`,
  })
}

async function linkedPerson(
  { store, clock }: App,
  provider: Provider,
  { subject, email }: ProviderPerson,
): Promise<Person | undefined> {
  const identity = await store.write
    .updateTable('sso_identities')
    .set({ used_at: clock.now(), ...(email === undefined ? {} : { email }) })
    .where('provider_id', '=', provider.id)
    .where('subject', '=', subject)
    .returning('person_id')
    .executeTakeFirst()
  if (!identity) return undefined
  return store.write
    .selectFrom('users')
    .selectAll()
    .where('id', '=', identity.person_id as Person['id'])
    .executeTakeFirstOrThrow()
}

/** An address alone never gives access to an administrator's or emergency account, even with a trusted provider. */
async function linkExisting(
  app: App,
  provider: Provider,
  who: ProviderPerson,
  person: Person,
): Promise<Person | typeof mustLinkFirst> {
  if (provider.linking === 'no')
    throw signInRefusal(
      `Your account here is not connected with ${provider.name}.`,
      'Sign in another way.',
    )
  const isTrusted =
    provider.linking === 'trusted' &&
    who.isEmailVerified &&
    isInDomains(provider, person.email) &&
    person.role !== 'admin' &&
    !(await isEmergencyAccount(app.store.write, person.id))
  if (!isTrusted) {
    if (!(await hasOtherSignInMethod(app.store.write, person)))
      throw signInRefusal(
        `${provider.name} did not confirm that your account here is yours.`,
        'Ask an administrator to let it send verified email addresses or matching ids.',
      )
    return mustLinkFirst
  }
  await linkIdentity(app, provider, who, person)
  return person
}

async function linkActive(
  app: App,
  provider: Provider,
  who: ProviderPerson,
  person: Person,
): Promise<Person> {
  requireActive(person)
  await linkIdentity(app, provider, who, person)
  return person
}

async function createPerson(
  app: App,
  provider: Provider,
  who: ProviderPerson & { email: string },
  from: SignInFrom['from'],
): Promise<Person> {
  const { store, clock, settings } = app
  const now = clock.now()
  const invitation = await pendingInvitation(app, provider, who.email)
  if (!invitation && !mayJoin(provider, who))
    throw signInRefusal(
      `There is no account for ${who.email} here.`,
      'Ask an administrator for an invitation.',
    )
  const role = roleByGroups(provider, who.groups) ?? invitation?.role ?? 'member'
  const timezone = who.timezone !== undefined && isTimezone(who.timezone) ? who.timezone : undefined
  const person = { org: provider.org_id, email: who.email, name: who.name, role, timezone }
  checkPerson(person)
  const id = await insertPerson(store, now, { ...person, plans: settings })
  await recordAction(store, {
    ...from,
    session: undefined,
    tool: invitation ? 'accept_invitation' : 'create_user',
    route: 'GET /web/sso/{id}/callback',
    kind: 'write',
    via: 'web',
    at: now,
    org_id: provider.org_id,
    actor_id: id,
    items: [
      { type: 'person', id },
      ...(invitation ? [{ type: 'invitation', id: invitation.id }] : []),
    ],
    arguments: { role, provider: provider.id },
  })
  await linkIdentity(app, provider, who, { id, org_id: provider.org_id })
  if (invitation) await acceptInvitation(app, invitation, { id, name: who.name })
  return store.write.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function mayJoin(provider: Provider, { email, groups = [] }: ProviderPerson): boolean {
  if (provider.accounts === 'anyone') return true
  if (provider.accounts === 'domain') return email !== undefined && isInDomains(provider, email)
  if (provider.accounts === 'group')
    return provider.rules.some((rule) => groups.includes(rule.group))
  return false
}

async function pendingInvitation(
  { store, clock }: App,
  provider: Provider,
  email: string,
): Promise<Row<'invitations'> | undefined> {
  return store.write
    .selectFrom('invitations')
    .selectAll()
    .where('org_id', '=', provider.org_id)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

async function acceptInvitation(
  { store, clock }: App,
  row: Row<'invitations'>,
  person: { id: Person['id']; name: string },
): Promise<void> {
  const now = clock.now()
  await store.write
    .updateTable('invitations')
    .set({ used_at: now, used_by: person.id, mail: row.mail === 'waiting' ? 'none' : row.mail })
    .where('id', '=', row.id)
    .execute()
  await notifyPeople(store.write, now, row.org_id, [row.created_by], {
    kind: 'security',
    item: { type: 'person', id: person.id },
    actor: person.id,
    text: `${person.name} accepted your invitation`,
  })
}

function requireActive(person: Person): Person {
  if (person.status === 'active') return person
  throw signInRefusal('Your account here is deactivated.', 'Ask an administrator to reactivate it.')
}

function signInRefusal(message: string, hint?: string): Refusal {
  return new Refusal('permission_denied', message, hint ? { hint } : {})
}
