import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { omitUndefined } from '../../kernel/present.ts'
import { z } from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import { isAdmin } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { datetime, pageOf } from '../../kernel/fields.ts'
import { isId } from '../../kernel/ids.ts'
import { denied, invalid, notFound } from '../../kernel/refusal.ts'
import { parseInstant, iso } from '../../kernel/time/times.ts'
import { displayPrefix } from '../../keys/format.ts'
import { issueKey, revokeKey } from '../../keys/issue.ts'
import { narrowKey, pauseKey, resumeKey } from '../../keys/pauses.ts'
import { keyIn, keysIn, keyState, type ListedKey as KeyRow } from '../../keys/list.ts'
import { ListedKey, NewKey, RevokedKey } from './shapes/keys.ts'
import { endpoint, type ServerEndpoint } from './endpoint.ts'

const listKeys = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/api-keys',
  name: 'list_api_keys',
  about: 'keys, newest first; only their first characters are shown',
  input: {
    of: z
      .enum(['me', 'organization'])
      .default('me')
      .describe('only administrators: `organization`'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(100).optional(),
  },
  output: pageOf(ListedKey),
  async handle({ of, limit, cursor }, { app, signed: { actor } }) {
    if (of === 'organization' && !isAdmin(actor))
      throw denied('Only administrators see the keys of others.')
    if (cursor !== undefined && !isId('key', cursor))
      throw invalid('cursor', 'not a cursor of this list.')
    const keyRows = await keysIn(app.store, {
      org: actor.org_id,
      owner: of === 'me' ? actor.id : undefined,
      after: cursor,
      limit: limit + 1,
    })
    const items = keyRows.slice(0, limit)
    const more = keyRows.length > limit ? { next_cursor: items.at(-1)!.id } : {}
    return {
      items: items.map((item) => presentApiKey(item, actor, app.clock.now())),
      ...more,
      has_more: keyRows.length > limit,
    }
  },
})

const getKey = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/api-keys/:id',
  name: 'get_api_key',
  about: 'one key',
  output: ListedKey,
  handle: async (_, { app, signed: { actor }, params: { id = '' } }) =>
    presentApiKey(await requireKey(app, actor, id), actor, app.clock.now()),
})

const createKey = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/api-keys',
  name: 'create_api_key',
  about: 'creates a key for yourself: 201, and the key, shown only once',
  input: {
    name: z.string().max(200),
    expires_at: datetime().nullable().optional(),
    read_only: z.boolean().default(false),
    toolsets: z
      .array(z.string().max(80))
      .max(100)
      .nullable()
      .optional()
      .describe('such as `["tasks:ro", "labels"]`; null: all'),
    hold_outbound: z.boolean().default(false),
    admin: z.boolean().default(false),
  },
  logsItself: 'success',
  output: NewKey,
  async handle(
    { name, expires_at, read_only, toolsets, hold_outbound, admin },
    { app, signed: { actor }, from },
  ) {
    const expiresAt =
      expires_at == null ? undefined : parseInstant(expires_at, actor.timezone, 'end', 'expires_at')
    const restrictions = {
      readOnly: read_only,
      toolsets: toolsets ?? undefined,
      holdOutbound: hold_outbound,
      adminGrant: admin,
      expiresAt,
    }
    const modules = app.catalogue.toolsets
    const issued = await issueKey(
      app.store,
      app.clock,
      { owner: actor.id, name, via: 'web', modules, from, ...restrictions },
      () => app.keys.recheck(actor),
    )
    app.log.info('a key was created', { key: issued.id, owner: actor.id })
    const keyFields = omitUndefined({
      name: name.trim(),
      read_only,
      toolsets: toolsets ?? null,
      hold_outbound,
      admin,
      expires_at: expiresAt === undefined ? undefined : iso(expiresAt),
    })
    const shownOnce = { id: issued.id, key: issued.key, prefix: issued.prefix, ...keyFields }
    return new EndpointReply({ ...shownOnce, mcp_url: `${app.baseUrl}/mcp` }, { status: 201 })
  },
})

const revoke = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/api-keys/:id/revoke',
  name: 'revoke_api_key',
  about: 'revokes a key permanently; administrators can revoke any key in the organization',
  logsItself: 'success',
  output: RevokedKey,
  async handle(_, { app, signed: { actor }, from, params: { id = '' } }) {
    const { store, clock, settings, log } = app
    const key = await requireKey(app, actor, id)
    const revocation = await revokeKey(store, clock, settings.data, {
      key: key.id,
      by: actor.id,
      via: 'web',
      from,
    })
    log.info('a key was revoked', { key: key.id, by: actor.id, owner: key.owner_id })
    return { id: key.id, revoked_at: iso(revocation.key.revoked_at!), already: revocation.already }
  },
})

const pause = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/api-keys/:id/pause',
  name: 'pause_api_key',
  about:
    'refuses the key from its next request on (403 `paused`, with who did it and since when) until it is resumed; its streams end. Administrators can pause any key in the organization',
  logsItself: 'success',
  output: ListedKey,
  async handle(_, { app, signed: { actor }, from, params: { id = '' } }) {
    const key = await requireKey(app, actor, id)
    await pauseKey(app, actor, key.id, from)
    return presentApiKey(await requireKey(app, actor, id), actor, app.clock.now())
  },
})

const resume = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/api-keys/:id/resume',
  name: 'resume_api_key',
  about: 'resumes a paused key',
  logsItself: 'success',
  output: ListedKey,
  async handle(_, { app, signed: { actor }, from, params: { id = '' } }) {
    const key = await requireKey(app, actor, id)
    await resumeKey(app, actor, key.id, from)
    return presentApiKey(await requireKey(app, actor, id), actor, app.clock.now())
  },
})

const narrow = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/api-keys/:id/narrow',
  name: 'narrow_api_key',
  about:
    'removes rights from a key, from its next request on; they cannot be restored. Administrators can narrow any key in the organization',
  logsItself: 'success',
  input: {
    read_only: z.literal(true).optional(),
    hold_outbound: z.literal(true).optional(),
    no_admin: z.literal(true).optional(),
  },
  output: ListedKey,
  async handle(
    { read_only, hold_outbound, no_admin },
    { app, signed: { actor }, from, params: { id = '' } },
  ) {
    const key = await requireKey(app, actor, id)
    await narrowKey(app, actor, key.id, {
      readOnly: read_only,
      holdOutbound: hold_outbound,
      noAdmin: no_admin,
      from,
    })
    return presentApiKey(await requireKey(app, actor, id), actor, app.clock.now())
  },
})

export const apiKeyEndpoints: readonly ServerEndpoint[] = [
  listKeys,
  getKey,
  createKey,
  revoke,
  pause,
  resume,
  narrow,
]

/** A key of the caller's own; for administrators, any of the organization. @throws Refusal not_found */
async function requireKey({ store }: App, actor: Actor, id: string): Promise<KeyRow> {
  const key = isId('key', id) ? await keyIn(store, actor.org_id, id as KeyRow['id']) : undefined
  if (!key || (key.owner_id !== actor.id && !isAdmin(actor))) throw notFound('key', 'id')
  return key
}

function presentApiKey(row: KeyRow, actor: Actor, now: number): z.infer<typeof ListedKey> {
  const timestamp = (name: 'expires_at' | 'revoked_at' | 'last_used_at') =>
    row[name] === null ? {} : { [name]: iso(row[name]) }
  return omitUndefined({
    id: row.id,
    name: row.name,
    kind: row.kind,
    connection:
      row.refreshed_at === null
        ? undefined
        : {
            program: row.program,
            address: row.resource,
            scope: row.scope,
            refreshed_at: iso(row.refreshed_at),
          },
    prefix: displayPrefix(row.lookup),
    owner: { id: row.owner_id, name: row.display_name, email: row.email },
    is_own: row.owner_id === actor.id,
    state: keyState(row, now),
    read_only: row.read_only === 1,
    toolsets: row.toolsets_json === null ? null : (JSON.parse(row.toolsets_json) as string[]),
    hold_outbound: row.hold_outbound === 1,
    admin: row.admin_grant === 1,
    created_at: iso(row.created_at),
    created_via: row.created_via,
    ...timestamp('expires_at'),
    ...timestamp('revoked_at'),
    ...timestamp('last_used_at'),
    last_ip: row.last_ip ?? undefined,
    last_client: row.last_client ?? undefined,
  })
}
