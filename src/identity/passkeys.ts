import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { recordAction, type ActionOrigin } from '../audit/act.ts'
import type { App } from '../operations/app.ts'
import { newId, type Id } from '../kernel/ids.ts'
import { invalid, notFound, Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { assertStorableText } from '../kernel/text/text.ts'
import { notifyPeople } from '../notify/notifications.ts'
import type { Store } from '../db/open.ts'
import { findKeys } from '../keys/format.ts'
import { signOutEverywhere } from './people.ts'
import { requireSignInMethod } from './sign-in-policy.ts'
import {
  challengeLifetime,
  newChallenge,
  sessionHolder,
  spendChallenge,
  type ChallengeHolder,
} from './challenges.ts'
import type { SignedInPerson } from './sessions.ts'
import {
  challengeIn,
  creationOptions,
  PasskeyProblem,
  verifyNewCredential,
  verifyAssertion,
  requestOptions,
  siteOf,
  type Assertion,
  type NewCredential,
  type Proof,
} from './webauthn.ts'

export type Passkey = Row<'passkeys'>

const maxPerPerson = 20

/** The passkeys of a person, oldest first. */
export function passkeysOf({ read }: Pick<Store, 'read'>, person: Id<'users'>): Promise<Passkey[]> {
  return read
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', '=', person)
    .orderBy('id')
    .execute()
}

/** Options that a browser needs to create a passkey for the signed-in person. */
export async function beginPasskeyCreation(
  app: App,
  { actor, session }: SignedInPerson,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const site = siteOf(app.baseUrl)
  const existing = await passkeysOf(app.store, actor.id)
  requirePasskeyRoom(existing.length)
  const { name } = await app.store.read
    .selectFrom('orgs')
    .select('name')
    .where('id', '=', actor.org_id)
    .executeTakeFirstOrThrow()
  const challenge = await newChallenge(app.store, app.clock.now(), 'add', sessionHolder(session.id))
  return creationOptions(
    site,
    challenge,
    { id: actor.id, email: actor.email, display_name: actor.display_name, organization: name },
    existing,
  )
}

/** Adds a passkey created by a browser. @throws Refusal */
export async function addPasskey(
  app: App,
  { actor, session }: SignedInPerson,
  { name, response, from }: { name: string; response: NewCredential; from: ActionOrigin },
): Promise<Passkey> {
  const { store, clock, keys } = app
  const site = siteOf(app.baseUrl)
  const validName = requirePasskeyName(name)
  const credential = await refusingProblems(
    async () => {
      await requireChallenge(app, response, 'add', sessionHolder(session.id))
      return verifyNewCredential(site, response)
    },
    (problem) => invalid('response', problem.message),
  )
  return store.writer.run(async () => {
    const now = clock.now()
    await keys.recheck(actor)
    requirePasskeyRoom(
      (
        await store.write
          .selectFrom('passkeys')
          .select('id')
          .where('person_id', '=', actor.id)
          .execute()
      ).length,
    )
    const existing = await store.write
      .selectFrom('passkeys')
      .select('id')
      .where('credential_id', '=', credential.credential_id)
      .executeTakeFirst()
    if (existing)
      throw new Refusal('conflict', 'This passkey is already registered.', { field: 'response' })
    const row: Passkey = {
      id: newId('pky', now),
      org_id: actor.org_id,
      person_id: actor.id,
      name: validName,
      ...credential,
      created_at: now,
      last_used_at: null,
    }
    await store.write.insertInto('passkeys').values(row).execute()
    await notifyPasskeyOwner(store, now, row, `A passkey "${row.name}" was added to your account`)
    await recordAction(store, {
      ...from,
      ...actOn(row, 'add_passkey', 'POST /web/passkeys', now),
      kind: 'write',
      via: 'web',
      arguments: { name: validName, device_type: row.device_type },
    })
    return row
  })
}

/** @throws Refusal not_found, invalid_argument */
export async function renamePasskey(
  { store, clock, keys }: App,
  { actor }: SignedInPerson,
  { id, name, from }: { id: string; name: string; from: ActionOrigin },
): Promise<Passkey> {
  const called = requirePasskeyName(name)
  return store.writer.run(async () => {
    await keys.recheck(actor)
    const row = await requireOwnPasskey(store, actor.id, id)
    await store.write
      .updateTable('passkeys')
      .set({ name: called })
      .where('id', '=', row.id)
      .execute()
    await recordAction(store, {
      ...from,
      ...actOn(row, 'rename_passkey', 'POST /web/passkeys/{id}', clock.now()),
      kind: 'write',
      via: 'web',
      arguments: { name: called },
    })
    return { ...row, name: called }
  })
}

/**
 * Removes one of the person's own passkeys. @throws Refusal not_found; conflict if no administrator could
 * sign in without it
 */
export async function removePasskey(
  { store, clock, keys }: App,
  { actor }: SignedInPerson,
  { id, from }: { id: string; from: ActionOrigin },
): Promise<void> {
  await store.writer.run(async () => {
    await keys.recheck(actor)
    const row = await requireOwnPasskey(store, actor.id, id)
    await deletePasskey(store, clock.now(), row, `Your passkey "${row.name}" was removed`)
    await requireSignInMethod(store, row)
    await recordAction(store, {
      ...from,
      ...actOn(row, 'remove_passkey', 'POST /web/passkeys/{id}/remove', clock.now()),
      kind: 'destructive',
      via: 'web',
    })
  })
}

/**
 * Removes a person's lost passkeys, for an administrator at the machine: one by id, or all. Another person may be signed in
 * with one of them, so all sessions of the owner end. @throws Refusal not_found
 */
export function removeLostPasskeys(
  store: Store,
  now: number,
  person: Pick<Row<'users'>, 'id'>,
  id?: string,
): Promise<Passkey[]> {
  return store.writer.run(async () => {
    const rows =
      id === undefined
        ? await passkeysOf({ read: store.write }, person.id)
        : [await requireOwnPasskey(store, person.id, id)]
    for (const row of rows) {
      await deletePasskey(
        store,
        now,
        row,
        `Your passkey "${row.name}" was removed by the operator of this workspace`,
      )
      await recordAction(store, {
        ...actOn(row, 'remove_passkey', 'workspace users passkeys remove', now),
        kind: 'destructive',
        via: 'cli',
      })
    }
    if (rows.length > 0) await signOutEverywhere(store, person.id)
    return rows
  })
}

/** Options that a browser needs to use a passkey: one of the signed-in person, or, without a session, any. */
export async function beginPasskeyUse(
  app: App,
  use: { signed: SignedInPerson } | { browser: ChallengeHolder },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const site = siteOf(app.baseUrl)
  const { store, clock } = app
  if ('browser' in use)
    return requestOptions(site, await newChallenge(store, clock.now(), 'sign_in', use.browser))
  const existing = await passkeysOf(store, use.signed.actor.id)
  if (existing.length === 0)
    throw new Refusal('conflict', 'You have no passkey.', 'Send the password to POST /web/verify.')
  return requestOptions(
    site,
    await newChallenge(store, clock.now(), 'verify', sessionHolder(use.signed.session.id)),
    existing,
  )
}

/**
 * Records that the person has just authenticated with a passkey. @returns the time @throws Refusal password_required
 */
export async function verifyWithPasskey(
  app: App,
  { actor, session }: SignedInPerson,
  response: Assertion,
  from: ActionOrigin,
): Promise<number> {
  const { store, clock, keys } = app
  const refuse = (problem: PasskeyProblem) =>
    new Refusal('password_required', problem.message, { field: 'response' })
  const { passkey, proof } = await refusingProblems(async () => {
    const passkey = (await passkeysOf(store, actor.id)).find(
      (row) => row.credential_id === response.id,
    )
    await requireChallenge(app, response, 'verify', sessionHolder(session.id))
    if (!passkey) throw new PasskeyProblem('This passkey does not belong to your account here.')
    return { passkey, proof: await verifyAssertion(siteOf(app.baseUrl), response, passkey) }
  }, refuse)
  const outcome = await store.writer.run(async () => {
    const now = clock.now()
    await keys.recheck(actor)
    const problem = await recordUse(store, now, passkey, proof)
    if (problem) return problem
    await store.write
      .updateTable('web_sessions')
      .set({ verified_at: now })
      .where('id', '=', session.id)
      .execute()
    await recordAction(store, {
      ...from,
      ...actOn(passkey, 'verify_passkey', 'POST /web/verify/passkey', now),
      kind: 'write',
      via: 'web',
    })
    return now
  })
  if (typeof outcome === 'number') return outcome
  throw refuse(outcome)
}

/** @throws PasskeyProblem if the response's challenge is unknown or has expired */
export async function requireChallenge(
  { store, clock }: App,
  response: NewCredential | Assertion,
  purpose: 'add' | 'sign_in' | 'verify',
  holder: ChallengeHolder,
): Promise<void> {
  if (await spendChallenge(store, clock.now(), challengeIn(response), purpose, holder)) return
  throw new PasskeyProblem(
    `This request expired (${challengeLifetime / 60_000} minutes), was already used, or came from another browser.`,
  )
}

/**
 * Records the use of a passkey; inside a writer job, which must commit even if there is a problem: a passkey whose
 * counter went back may have been copied, and its owner is notified.
 */
export async function recordUse(
  store: Store,
  now: number,
  { id }: Pick<Passkey, 'id'>,
  { sign_count, backed_up }: Proof,
): Promise<PasskeyProblem | undefined> {
  const stored = await store.write
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!stored) return new PasskeyProblem('This passkey was removed.')
  if ((stored.sign_count > 0 || sign_count > 0) && sign_count <= stored.sign_count) {
    await notifyPasskeyOwner(
      store,
      now,
      stored,
      `Your passkey "${stored.name}" was refused because it may have been copied: it reported ${sign_count} uses, but ${stored.sign_count} before. If that was you, remove it and add it again`,
    )
    return new PasskeyProblem(
      'This passkey reported fewer uses than before: it may have been copied.',
    )
  }
  await store.write
    .updateTable('passkeys')
    .set({ sign_count, backed_up, last_used_at: now })
    .where('id', '=', id)
    .execute()
  return undefined
}

/** Processes a passkey response; its errors become the caller's kind of refusal. */
async function refusingProblems<T>(
  work: () => Promise<T>,
  refuse: (problem: PasskeyProblem) => Refusal,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof PasskeyProblem ? refuse(error) : error
  }
}

async function requireOwnPasskey(
  { write }: Store,
  person: Id<'users'>,
  id: string,
): Promise<Passkey> {
  const row = await write
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', id as Passkey['id'])
    .where('person_id', '=', person)
    .executeTakeFirst()
  if (!row) throw notFound('passkey', 'id')
  return row
}

async function deletePasskey(store: Store, now: number, row: Passkey, text: string): Promise<void> {
  await store.write.deleteFrom('passkeys').where('id', '=', row.id).execute()
  await notifyPasskeyOwner(store, now, row, text)
}

function notifyPasskeyOwner(
  store: Store,
  now: number,
  { org_id, person_id }: Passkey,
  text: string,
): Promise<void> {
  return notifyPeople(store.write, now, org_id, [person_id], {
    kind: 'security',
    item: { type: 'person', id: person_id },
    actor: null,
    text,
  })
}

function actOn({ id, org_id, person_id }: Passkey, tool: string, route: string, at: number) {
  return {
    tool,
    route,
    at,
    org_id,
    actor_id: person_id as Id<'users'>,
    items: [{ type: 'passkey', id }],
  }
}

function requirePasskeyRoom(count: number): void {
  if (count >= maxPerPerson)
    throw new Refusal(
      'conflict',
      `You have ${count} passkeys; the maximum is ${maxPerPerson}.`,
      'Remove one you do not use.',
    )
}

function requirePasskeyName(text: string): string {
  assertStorableText(text, 'name')
  const name = text.trim()
  if (name === '' || name.length > 100)
    throw invalid('name', 'a passkey needs a name of 1 to 100 characters.')
  if (findKeys(name).length > 0)
    throw invalid('name', 'must not contain a key, because lists show it.')
  return name
}
