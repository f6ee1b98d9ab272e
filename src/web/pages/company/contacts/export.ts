import { call } from '../../../api/client.ts'
import { contactImport as words } from '../../../texts/en/company/import.ts'
import { saveCsv } from '../save-export.ts'

/** Saves all contacts or companies as a spreadsheet file, which can be imported again. */
export const exportAll = (kind: 'contacts' | 'companies'): Promise<void> =>
  saveCsv(kind, call('export_contacts', { of: kind }), words.exported)
