import { useOperation } from '../../../api/queries.ts'
import type { Input } from '../../../api/client.ts'
import { randomId, write, type RowOf } from '../../../store/index.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { t } from '../../../texts/index.ts'
import type { NamedItem } from '../contacts/data.ts'

export type DealRow = RowOf<'deal'>

const staleTime = 300_000

/** The stages of the organization's deals, in order. */
export function useStages(): readonly string[] {
  return useOperation('get_organization', {}, { staleTime }).data?.deal_stages ?? []
}

type DealChange = Omit<Input<'update_deal'>, 'deal_id' | 'expected_revision'>

/** Changes a deal; shown immediately. Returns whether the server accepted it. */
export async function updateDeal(
  deal: DealRow,
  change: DealChange,
  { set, description }: { set: Partial<DealRow>; description: string },
): Promise<boolean> {
  const result = await write(
    'update_deal',
    { deal_id: deal.id, ...change },
    { rows: [{ type: 'deal', id: deal.id, set }], text: t.tasks.changed(deal.name, description) },
  )
  return result.state === 'done'
}

/** Moves a deal to a stage; reopens a closed one. */
export function moveDeal(deal: DealRow, stage: string): Promise<boolean> {
  const isReopened = deal.status !== 'open'
  return updateDeal(
    deal,
    { stage, ...(isReopened && { status: 'open' as const }) },
    {
      set: { stage, status: 'open', closed_at: undefined, lost_reason: undefined },
      description: words.moved(stage),
    },
  )
}

export const winDeal = (deal: DealRow): Promise<boolean> =>
  updateDeal(
    deal,
    { status: 'won' },
    {
      set: { status: 'won', closed_at: new Date().toISOString(), lost_reason: undefined },
      description: words.become.won,
    },
  )

export const loseDeal = (deal: DealRow, reason: string): Promise<boolean> =>
  updateDeal(
    deal,
    { status: 'lost', lost_reason: reason },
    {
      set: { status: 'lost', closed_at: new Date().toISOString(), lost_reason: reason },
      description: words.become.lost,
    },
  )

interface NewDeal {
  name: string
  stage: string | undefined
  amount?: number | undefined
  currency?: string | undefined
  company?: NamedItem | undefined
  owner: NamedItem
}

/** Creates a deal; shown on the board immediately. Returns its id. */
export async function createDeal(deal: NewDeal): Promise<string | undefined> {
  const { name, stage, amount, currency, company, owner } = deal
  const result = await write(
    'create_deal',
    {
      name,
      ...(stage !== undefined && { stage }),
      ...(amount !== undefined && { amount }),
      ...(currency !== undefined && { currency }),
      ...(company && { company_id: company.id }),
    },
    {
      rows: [
        {
          type: 'deal',
          id: randomId(),
          add: {
            name,
            stage,
            status: 'open',
            amount,
            currency,
            company,
            owner,
            contacts: [],
            stage_history: [],
            stale_days: 0,
          },
        },
      ],
      text: words.created(name),
    },
  )
  return result.state === 'done' ? result.value?.id : undefined
}

/** Moves a deal to the trash. */
export async function removeDeal(deal: DealRow): Promise<boolean> {
  const result = await write(
    'delete_deal',
    { deal_id: deal.id },
    {
      rows: [{ type: 'deal', id: deal.id, remove: true }],
      text: t.tasks.changed(deal.name, words.deleted),
    },
  )
  return result.state === 'done'
}
