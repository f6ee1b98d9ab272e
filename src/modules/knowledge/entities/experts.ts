import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { day, pageOf, paging } from '../../../kernel/fields.ts'
import { searchItems } from '../../../operations/search/search-items.ts'
import type { ItemHit } from '../../../operations/search/results.ts'
import type { Contribution } from '../../../operations/search/searchable.ts'
import { isSimilar } from '../../../operations/search/similar.ts'
import { requireQuery, pageOfHits } from '../../../operations/search/hits.ts'
import { operation } from '../../../operations/operation.ts'
import { pageWithItems } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { person, team, teamMember } from '../../directory/access.ts'
import { personRef } from '../../directory/shapes.ts'
import { ItemRef, Ref } from '../../../records/shapes.ts'
import { searchableKinds } from '../search.ts'
import { byScore } from '../../../kernel/text/order.ts'

const Expert = shape('Expert', {
  person: Ref,
  score: z.number(),
  evidence: z.array(z.strictObject({ item: ItemRef, why: z.string() })),
  last_active_on_topic: day(),
})

interface Evidence {
  hit: ItemHit
  did: string
  /** Weight of the evidence: the item's similarity to the topic, and the significance of the person's part. */
  strength: number
}

const maxEvidence = 5
/** Half-life of evidence: two years, in milliseconds. */
const halfLifeMs = 2 * 365 * 86_400_000

export const findExperts = operation({
  name: 'find_experts',
  searchHint: 'who knows about, who to ask, subject expert, specialist',
  kind: 'read',
  weight: 10,
  rest: 'GET /api/experts',
  about: 'Colleagues who know a topic, ranked by work visible to you, with evidence',
  on: { team: team.see.maybe.describe('only its members') },
  input: { topic: z.string().min(1).max(2000), ...paging },
  output: pageOf(Expert),
  async handle({ team, topic, limit, cursor }, ctx) {
    const { hits } = await searchItems(ctx, {
      query: requireQuery(topic),
      mode: 'hybrid',
      kinds: searchableKinds(ctx, undefined),
      withLinks: false,
      withSnippets: false,
    })
    const evidenceByPerson = await evidenceOf(ctx, hits.filter(isSimilar))
    const people = await colleagues(ctx, [...evidenceByPerson.keys()], team)
    const ranked = [...people.values()].map((row) => {
      const all = evidenceByPerson.get(row.id)!.sort((a, b) => b.strength - a.strength)
      // Each further piece weighs less, so that a hundred short messages do not outweigh a page and completed tasks.
      return {
        id: row.id,
        row,
        all,
        score: normalizedScore(
          all.reduce((sum, evidence, i) => sum + evidence.strength / (i + 1), 0),
        ),
      }
    })
    const page = pageOfHits(ranked.sort(byScore), { limit, cursor })
    return pageWithItems(
      page,
      page.items.map(({ row, all, score }) => ({
        person: personRef(row),
        score,
        evidence: all.slice(0, maxEvidence).map(({ hit, did }) => ({
          item: hit.searchable.resource.ref(hit.row, ctx.baseUrl),
          why: `${row.display_name} ${did}.`,
        })),
        last_active_on_topic: dayAt(
          Math.max(...all.map((evidence) => evidence.hit.at)),
          ctx.actor.timezone,
        ),
      })),
    )
  },
})

const normalizedScore = (sum: number) => Math.round((1 - Math.exp(-sum)) * 1e6) / 1e6

async function evidenceOf(
  ctx: ReadContext,
  hits: readonly ItemHit[],
): Promise<Map<string, Evidence[]>> {
  const evidenceByPerson = new Map<string, Evidence[]>()
  for (const [kind, some] of Map.groupBy(hits, (hit) => hit.searchable)) {
    const work =
      (await kind.work?.(
        ctx,
        some.map((itemHit) => itemHit.row),
      )) ?? new Map<string, Contribution[]>()
    for (const hit of some) {
      for (const { person: id, did, weight } of strongestByPerson(work.get(hit.id) ?? [])) {
        const age = Math.max(0, ctx.now - hit.at)
        evidenceByPerson.set(id, [
          ...(evidenceByPerson.get(id) ?? []),
          { hit, did, strength: hit.score * weight * 0.5 ** (age / halfLifeMs) },
        ])
      }
    }
  }
  return evidenceByPerson
}

/** Reduces several contributions of a person to one item to the most significant one. */
function strongestByPerson(work: readonly Contribution[]): Contribution[] {
  return [...Map.groupBy(work, (contribution) => contribution.person).values()].map(
    (contributions) => contributions.reduce((a, b) => (b.weight > a.weight ? b : a)),
  )
}

/** Active colleagues whom the caller sees. */
async function colleagues(
  ctx: ReadContext,
  ids: readonly string[],
  team: Row<'teams'> | undefined,
): Promise<Map<string, Row<'users'>>> {
  const people = await person.among(ctx, ids)
  const members =
    team &&
    new Set<string>(
      (await teamMember.of(ctx, [team.id]).select('team_members.person_id').execute()).map(
        (row) => row.person_id,
      ),
    )
  return new Map(
    [...people].filter(([id, row]) => row.status === 'active' && (!members || members.has(id))),
  )
}
