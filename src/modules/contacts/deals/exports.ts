import { joinValues, type Cell } from '../../../kernel/text/csv.ts'
import { paged, type Order } from '../../../records/paging.ts'
import { tablePage } from '../../../operations/exports/csv-exports.ts'
import { listExport } from '../../../operations/exports/list-exports.ts'
import { deal } from '../access.ts'
import { dealFilters } from './filters.ts'
import { presentDeals } from './shapes.ts'

const order: readonly Order[] = [{ by: 'deals.id', as: 'id', dir: 'asc' }]

const dealExport = listExport({
  name: 'export_deals',
  rest: 'GET /api/deals/export',
  about: 'Deals as CSV, by the filters of list_deals, inline or as a short-lived link',
  searchHint: 'download the pipeline, deals as spreadsheet, sales as csv, forecast for finance',
  link: {
    name: 'download_deal_export',
    rest: 'GET /api/deal-exports/{token}',
    fileName: 'deals.csv',
  },
  filters: dealFilters,
  visible: (ctx) => deal.visibleTo(ctx),
  header: [
    'id',
    'name',
    'company',
    'contacts',
    'stage',
    'status',
    'lost_reason',
    'amount',
    'currency',
    'expected_close_on',
    'closed_at',
    'owner',
    'stale_days',
    'note',
    'created_at',
    'updated_at',
    'url',
  ],
  async page(ctx, rows, position) {
    const page = await paged(rows.selectAll('deals'), order, position)
    const shapes = await presentDeals(ctx, page.items)
    const cells = shapes.map((shape): Cell[] => [
      shape.id,
      shape.name,
      shape.company?.title,
      joinValues(shape.contacts.map(({ title }) => title)),
      shape.stage,
      shape.status,
      shape.lost_reason,
      shape.amount,
      shape.currency,
      shape.expected_close_on,
      shape.closed_at,
      shape.owner.title,
      shape.stale_days,
      shape.note,
      shape.created_at,
      shape.updated_at,
      shape.url,
    ])
    return tablePage(
      page,
      cells,
      shapes.flatMap((shape) => [shape, ...shape.contacts]),
    )
  },
})

export const exportDeals = dealExport.list
export const downloadDealExport = dealExport.download
