import type { ContactImportReport } from './results.ts'

export interface ContactImportProgress extends ContactImportReport {
  undo_call_ids: string[]
}
