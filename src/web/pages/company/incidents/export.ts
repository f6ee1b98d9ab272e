import { call, type Input } from '../../../api/client.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { saveCsv } from '../save-export.ts'

/** Saves the filtered incidents as a spreadsheet file. */
export const exportIncidents = (filter: Input<'export_incidents'>): Promise<void> =>
  saveCsv('incidents', call('export_incidents', filter), words.exported)
