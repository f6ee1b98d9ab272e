import { call, type Input } from '../../../api/client.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { saveExported } from '../save-export.ts'

/** Saves the filtered incidents as a spreadsheet file. */
export const exportIncidents = (filter: Input<'export_incidents'>): Promise<void> =>
  saveExported(call('export_incidents', filter), {
    name: 'incidents.csv',
    type: 'text/csv',
    noticeOf: words.exported,
  })
