import { call } from '../../../api/client.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { saveCsv } from '../save-export.ts'

/** Saves all deals, or those of one person, as a spreadsheet file. */
export const exportDeals = (ownerId: string | undefined): Promise<void> =>
  saveCsv(
    'deals',
    call('export_deals', ownerId === undefined ? {} : { owner_id: ownerId }),
    words.exported,
  )
