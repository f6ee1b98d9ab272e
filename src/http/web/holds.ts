import { omitUndefined } from '../../kernel/present.ts'
import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import { iso } from '../../kernel/time/times.ts'
import { displayPrefix } from '../../keys/format.ts'
import {
  findingsFor,
  isFindingOpen,
  releaseHold,
  type ListedFinding,
} from '../../limits/release.ts'
import { abuseRule, rules, type RuleName } from '../../limits/rules.ts'
import { AbuseFinding } from './shapes/keys.ts'
import { endpoint, type ServerEndpoint } from './endpoint.ts'

const listHolds = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/holds',
  name: 'list_holds',
  about:
    'findings of the abuse rules for your keys; administrators: for all keys of the organization',
  input: {
    open: z.stringbool().default(true).describe('default `true`'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  },
  output: z.strictObject({ items: z.array(AbuseFinding) }),
  async handle({ open, limit }, { app, signed }) {
    const findings = await findingsFor(app.store, app.clock, signed.actor, { open, limit })
    return { items: findings.map((listedFinding) => presentHold(listedFinding, app.clock.now())) }
  },
})

const release = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/holds/:id/release',
  name: 'release_hold',
  about: 'releases the held key',
  logsItself: 'success',
  output: z.strictObject({ id: z.string(), released_at: datetimeString() }),
  async handle(_, { app, signed, from, params }) {
    const { id, released_at } = await releaseHold(app, signed.actor, params.id ?? '', from)
    return { id, released_at: iso(released_at!) }
  },
})

export const holdEndpoints: readonly ServerEndpoint[] = [listHolds, release]

/** Presents a finding, and whether it holds a key. */
function presentHold(row: ListedFinding, now: number): z.infer<typeof AbuseFinding> {
  const rule = row.rule in rules ? abuseRule(row.rule as RuleName) : undefined
  return omitUndefined({
    id: row.id,
    rule: row.rule,
    ...(rule ? { trigger: rule.trigger, effect: rule.effect } : {}),
    holds: isFindingOpen(row, now) ? row.hold : 'none',
    detail: JSON.parse(row.detail_json) as Record<string, unknown>,
    occurrences: row.occurrences,
    key:
      row.key_id === null
        ? undefined
        : {
            id: row.key_id,
            name: row.key_name,
            prefix: displayPrefix(row.lookup ?? ''),
            owner: row.owner,
          },
    subject: row.subject ?? undefined,
    first_at: iso(row.first_at),
    last_at: iso(row.last_at),
    until: row.until_at === null ? undefined : iso(row.until_at),
    released_at: row.released_at === null ? undefined : iso(row.released_at),
  })
}
