import { defined } from '../../kernel/present.ts'
import { z } from 'zod'
import { iso } from '../../kernel/time/times.ts'
import { displayPrefix } from '../../keys/format.ts'
import {
  findingsFor,
  isFindingOpen,
  releaseHold,
  type ListedFinding,
} from '../../limits/release.ts'
import { abuseRule, rules, type RuleName } from '../../limits/rules.ts'
import { action, type Action } from './action.ts'

const listHolds = action({
  method: 'GET',
  path: '/web/holds',
  tool: 'list_holds',
  takes: {
    open: z.stringbool().default(true),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  },
  async work({ app, signed }, { open, limit }) {
    const found = await findingsFor(app.store, app.clock, signed.actor, { open, limit })
    return { value: { items: found.map((listedFinding) => shown(listedFinding, app.clock.now())) } }
  },
})

const release = action({
  method: 'POST',
  path: '/web/holds/:id/release',
  tool: 'release_hold',
  records: true,
  async work({ app, signed, from, params }) {
    const { id, released_at } = await releaseHold(app, signed.actor, params.id ?? '', from)
    return { value: { id, released_at: iso(released_at!) } }
  },
})

export const holdActions: readonly Action[] = [listHolds, release]

/** What a rule found, and whether it holds a key. */
function shown(row: ListedFinding, now: number): Record<string, unknown> {
  const known = row.rule in rules ? abuseRule(row.rule as RuleName) : undefined
  return defined({
    id: row.id,
    rule: row.rule,
    ...(known ? { trigger: known.trigger, effect: known.effect } : {}),
    holds: isFindingOpen(row, now) ? row.hold : 'none',
    detail: JSON.parse(row.detail_json) as unknown,
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
