import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { pageOf } from '../../kernel/fields.ts'
import type { App } from '../../operations/app.ts'
import { paged } from '../../records/paging.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { notifyPeople } from '../../notify/notifications.ts'
import { requireOtherAdmin } from '../../identity/sign-in-policy.ts'
import { hasChanges, applyConsequences, type PersonPatch } from '../../identity/people.ts'
import { checkMembers } from '../../limits/plan.ts'
import { requireAdmin, requireColleague, recheckAdmin } from '../../identity/administration.ts'
import { passkeysOf } from '../../identity/passkeys.ts'
import { createResetLink, resetPassword } from '../../identity/resets.ts'
import { ChangedPerson, ListedPerson, ResetLink } from './shapes/people.ts'
import { endpoint, type ServerEndpoint, type SignedInRequest } from './endpoint.ts'

const listPeople = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/people',
  name: 'list_members',
  about:
    'administrators: everyone, with role, status, `last_seen_at`, `live_keys`, `has_password` and number of `passkeys`',
  input: {
    status: z.enum(['active', 'deactivated']).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(2000).optional(),
  },
  output: pageOf(ListedPerson),
  async handle({ status, limit, cursor }, { app, signed: { actor } }) {
    requireAdmin(actor)
    let people = selectPeople(app).where('users.org_id', '=', actor.org_id)
    if (status) people = people.where('users.status', '=', status)
    const page = await paged(
      people,
      [
        { by: 'users.display_name', as: 'display_name', dir: 'asc' },
        { by: 'users.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return {
      ...page,
      items: page.items.map((row) => presentListedPerson(row, row.id === actor.id)),
    }
  },
})

/**
 * Maximum number of automation calls since a person's last own activity that are searched; beyond it the person
 * counts as not seen.
 */
const maxSearchedCalls = 1000

function selectPeople({ store, clock }: App) {
  return store.read
    .selectFrom('users')
    .select([
      'users.id',
      'users.email',
      'users.display_name',
      'users.title',
      'users.role',
      'users.status',
      'users.timezone',
      'users.created_at',
      'users.password_hash',
    ])
    .select((eb) => [
      eb
        .selectFrom('api_keys')
        .whereRef('api_keys.owner_id', '=', 'users.id')
        .where('revoked_at', 'is', null)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]))
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .as('live_keys'),
      eb
        .selectFrom('passkeys')
        .whereRef('passkeys.person_id', '=', 'users.id')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .as('passkeys'),
      eb
        .selectFrom(
          eb
            .selectFrom('calls')
            .whereRef('calls.actor_id', '=', 'users.id')
            .select(['calls.at', 'calls.status', 'calls.transport'])
            .orderBy('calls.at', 'desc')
            .limit(maxSearchedCalls)
            .as('latest'),
        )
        .where('latest.status', '=', 'ok')
        .where('latest.transport', 'in', ['web', 'rest', 'mcp'])
        .select((eb) => eb.fn.max('latest.at').as('at'))
        .as('seen_at'),
    ])
}

type SelectedPerson = Awaited<
  ReturnType<ReturnType<typeof selectPeople>['executeTakeFirstOrThrow']>
>

function presentListedPerson(row: SelectedPerson, isOwn: boolean): z.infer<typeof ListedPerson> {
  return omitNullish({
    id: row.id,
    name: row.display_name,
    email: row.email,
    title: row.title,
    role: row.role,
    status: row.status,
    is_own: isOwn,
    timezone: row.timezone,
    created_at: iso(row.created_at),
    last_seen_at: row.seen_at === null ? undefined : iso(row.seen_at),
    live_keys: row.live_keys ?? 0,
    has_password: row.password_hash !== null,
    passkeys: row.passkeys ?? 0,
  })
}

const setRole = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/people/:id/role',
  name: 'set_person_role',
  about:
    "changes the role from the person's next request on; `changed` says whether it was different",
  input: { role: z.enum(['admin', 'member', 'guest']) },
  output: ChangedPerson,
  handle: ({ role }, request) =>
    changeMember(request, {
      patch: { role },
      notification: `made you ${role === 'admin' ? 'an administrator' : `a ${role}`}`,
    }),
})

const deactivate = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/people/:id/deactivate',
  name: 'deactivate_person',
  about: 'ends sessions, keys and open links at the next request',
  output: ChangedPerson,
  handle: (_, request) => changeMember(request, { patch: { status: 'deactivated' } }),
})

const reactivate = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/people/:id/reactivate',
  name: 'reactivate_person',
  about: 'lets the person in again: keys that were not revoked work again, sessions do not',
  output: ChangedPerson,
  handle: (_, request) =>
    changeMember(request, {
      patch: { status: 'active' },
      notification: 'reactivated your account',
    }),
})

interface Change {
  patch: PersonPatch
  /** Notification to the person about the administrator's action; unset: none. */
  notification?: string
}

/**
 * Changes a colleague through the call path, so that subscribers are notified. The acting administrator keeps the
 * role, so at least one remains.
 */
async function changeMember(
  request: SignedInRequest,
  { patch, notification }: Change,
): Promise<z.infer<typeof ChangedPerson>> {
  const {
    app,
    actor,
    params: { id = '' },
  } = request
  const { store, clock, settings } = app
  requireAdmin(actor)
  const result = await request.change(
    async (ctx) => {
      await recheckAdmin(app, actor)
      const row = await requireColleague(store.write, actor, id)
      if (!hasChanges(row, patch)) return { row, changed: false }
      await requireOtherAdmin(store, row, patch)
      if (patch.status === 'active') await checkMembers(store.write, row.org_id, settings)
      const after = await ctx.change('users', row, patch)
      await applyConsequences(store, clock.now(), row, patch)
      if (notification !== undefined)
        await notifyPeople(store.write, clock.now(), row.org_id, [row.id], {
          kind: 'security',
          item: { type: 'person', id: row.id },
          actor: actor.id,
          text: `${actor.display_name} ${notification}`,
        })
      return { row: after, changed: true }
    },
    { ...patch },
  )
  if (result.changed) app.log.info('a person was changed', { person: id, by: actor.id, ...patch })
  return presentChangedPerson(result)
}

function presentChangedPerson({
  row: { id, display_name, email, role, status },
  changed,
}: {
  row: Row<'users'>
  changed: boolean
}): z.infer<typeof ChangedPerson> {
  return { id, name: display_name, email, role, status, changed }
}

const makeLink = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/people/:id/reset-link',
  name: 'create_reset_link',
  about:
    '201: `link` (`/reset/{token}`), shown only once, with which the person can set a new password within 24 hours; it replaces any earlier link',
  logsItself: 'success',
  output: ResetLink,
  async handle(_, { app, signed: { actor }, from, params: { id = '' } }) {
    const { person, token, expires_at } = await createResetLink(app, actor, id, from)
    app.log.info('a password reset link was created', { person: person.id, by: actor.id })
    const value = {
      person: { id: person.id, name: person.display_name, email: person.email },
      link: `${app.baseUrl}/reset/${token}`,
      expires_at: iso(expires_at),
    }
    return new EndpointReply(value, { status: 201 })
  },
})

const reset = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/reset',
  name: 'reset_password',
  about:
    'sets a new password with that link: works once, and ends all sessions of the person. Returns the `email` to sign in with, and how many `passkeys` still work',
  input: { token: z.string().min(1).max(200), password: z.string().min(1).max(1000) },
  logsItself: 'success',
  output: z.strictObject({ email: z.string(), changed: z.literal(true), passkeys: z.int() }),
  async handle({ token, password }, { app, incoming, from }) {
    const { id, email } = await resetPassword(app, { token, password, ip: incoming.ip, from })
    return { email, changed: true as const, passkeys: (await passkeysOf(app.store, id)).length }
  },
})

export const peopleEndpoints: readonly ServerEndpoint[] = [
  listPeople,
  setRole,
  deactivate,
  reactivate,
  makeLink,
  reset,
]
