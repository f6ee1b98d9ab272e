import { call } from '../../../api/client.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { saveExported } from '../save-export.ts'

/** Saves all deals, or those of one person, as a spreadsheet file. */
export const exportDeals = (owner: string | undefined): Promise<void> =>
  saveExported(call('export_deals', owner === undefined ? {} : { owner_id: owner }), {
    name: 'deals.csv',
    type: 'text/csv',
    noticeOf: words.exported,
  })
