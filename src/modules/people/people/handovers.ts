import { z } from 'zod'
import { denied, invalid } from '../../../kernel/refusal.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { shape } from '../../../kernel/shape.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { resourceOf, type Row } from '../../../records/resource.ts'
import { ItemRef, Ref } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { personRef } from '../../directory/shapes.ts'
import {
  handoverKinds,
  handovers,
  type Handover,
  type HandoverKind,
  type HandoverItem,
} from '../../directory/shapes.ts'
import { teamsLedBy } from './access-handovers.ts'
import { setLead } from './memberships.ts'

const maxNamed = 20

const HandoverSection = shape('HandoverSection', {
  kind: z.enum(handoverKinds),
  count: z.int().describe('all of the person, whether or not you see them'),
  hidden: z.int().describe('of these, the ones that you do not see: handed over, and not named'),
  handed_over: z.int(),
  stays: z.string().optional().describe('why items of this kind stay with the person'),
  items: z.array(ItemRef).describe(`the first ${maxNamed} that you see`),
  more: z.int().optional().describe('that you see, and are not named here'),
})

export const handOverPerson = operation({
  name: 'hand_over_person',
  searchHint:
    'somebody leaves, offboarding, hand over everything, take over the work of a colleague, ' +
    'reassign all, replace a person, parental leave',
  kind: 'write',
  weight: 10,
  rest: 'POST /api/people/{person_id}/hand-over',
  about:
    'Hand over what a person is responsible for: projects, tasks, teams, goals, deals, contacts, meetings, incident roles, on-call turns. Lists all of it by kind',
  on: {
    person: person.see.describe('who leaves'),
    to: person.see.named('to').describe('who takes over'),
  },
  input: { kinds: z.array(z.enum(handoverKinds)).min(1).max(handoverKinds.length).optional() },
  dryRun: true,
  administratorsMayUndo: true,
  output: z.strictObject({
    person: Ref,
    to: Ref,
    sections: z.array(HandoverSection).describe('kinds of which the person has some'),
    none: z.array(z.enum(handoverKinds)).describe('kinds of which they have none'),
    handed_over: z.int(),
    dry_run: z.boolean(),
    undo_call_id: z.string().optional(),
  }),
  async handle({ person: leaver, to: heir, kinds = [...handoverKinds] }, ctx) {
    requireRights(ctx, leaver)
    requireHeir(leaver, heir)
    const sections: z.infer<typeof HandoverSection>[] = []
    const none: HandoverKind[] = []
    const all: HandoverItem[] = []
    for (const kind of handoverKinds.filter((item) => kinds.includes(item))) {
      const handover = handovers.entries.find((entry) => entry.kind === kind)
      const items = (await handover?.listItems(ctx, leaver)) ?? []
      if (!handover || items.length === 0) none.push(kind)
      else sections.push(await handoverSectionOf(ctx, handover, items))
      all.push(...items)
    }
    // Only after listing: an heir who makes this call gains access with each step.
    for (const { transfer } of all) await transfer?.(ctx, heir)
    const handed_over = sections.reduce((sum, section) => sum + section.handed_over, 0)
    return {
      person: personRef(leaver),
      to: personRef(heir),
      sections,
      none,
      handed_over,
      dry_run: ctx.dryRun,
      ...(handed_over > 0 ? { undo_call_id: ctx.callId } : {}),
    }
  },
})

async function handoverSectionOf(
  ctx: WriteContext,
  { kind, reasonToStay }: Handover,
  ownedItems: readonly HandoverItem[],
): Promise<z.infer<typeof HandoverSection>> {
  const refs = await visibleRefs(ctx, ownedItems)
  const hidden = ownedItems.filter(({ id }) => !refs.has(id)).length
  const items = [...refs.values()]
  return omitNullish({
    kind,
    count: ownedItems.length,
    hidden,
    handed_over: ownedItems.filter(({ transfer }) => transfer !== undefined).length,
    stays: reasonToStay,
    items: items.slice(0, maxNamed),
    more: items.length > maxNamed ? items.length - maxNamed : undefined,
  })
}

/** References to visible items, by id. */
async function visibleRefs(
  ctx: WriteContext,
  allItems: readonly HandoverItem[],
): Promise<Map<string, z.infer<typeof ItemRef>>> {
  const refs = new Map<string, z.infer<typeof ItemRef>>()
  for (const [table, items] of Map.groupBy(allItems, (item) => item.table)) {
    const resource = resourceOf(table)
    const rows = await resource.among(
      ctx,
      items.map(({ id }) => id),
    )
    for (const [id, row] of rows) refs.set(id, resource.ref(row, ctx.baseUrl))
  }
  return refs
}

/** @throws Refusal permission_denied except for administrators and the person */
function requireRights(ctx: WriteContext, leaver: Row<'users'>): void {
  if (leaver.id !== ctx.actor.id && !isAdmin(ctx.actor))
    throw denied(
      'Only an administrator, or the person themself, can hand over the work of a person.',
      'An administrator needs a key created with `workspace keys create --admin`.',
    )
}

/** @throws Refusal invalid_argument unless the heir is another active member */
function requireHeir(leaver: Row<'users'>, heir: Row<'users'>): void {
  if (heir.id === leaver.id) throw invalid('to', 'a person cannot take over from themself.')
  if (heir.status !== 'active')
    throw invalid('to', `${heir.display_name} is ${heir.status}; name an active person.`)
  if (heir.role === 'guest')
    throw invalid('to', `${heir.display_name} is a guest; name a member of the organization.`)
}

/** Teams that a person leads. */
export const teamHandover: Handover = {
  kind: 'teams',
  async listItems(ctx, { id }) {
    return (await teamsLedBy(ctx, id)).map((row) => ({
      table: 'teams' as const,
      id: row.id,
      transfer: (write, heir) => setLead(write, row, heir, 'to'),
    }))
  },
}
