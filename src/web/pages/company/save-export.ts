import { notify } from '../../store/index.ts'
import { notifyProblem } from '../../ui/confirm.tsx'

const revokeDelayMs = 60_000

/** An export as returned by operations: with the file itself, or its location. */
interface ExportResult {
  inline?: string | undefined
  download_url?: string | undefined
  item_count: number
}

function saveExport({ inline, download_url }: ExportResult, name: string, type: string): void {
  const url =
    inline === undefined ? download_url : URL.createObjectURL(new Blob([inline], { type }))
  if (url === undefined) return
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  if (url.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(url), revokeDelayMs)
}

/** Saves an operation's CSV export, and shows its number of rows. */
export const saveCsv = (
  name: string,
  exportPromise: Promise<ExportResult>,
  noticeOf: (count: number) => string,
): Promise<void> => saveExported(exportPromise, { name: `${name}.csv`, type: 'text/csv', noticeOf })

interface ExportFile {
  name: string
  type: string
  /** Confirmation after the export; default: none, as the downloaded file suffices. */
  noticeOf?: (count: number) => string
}

/** Saves an operation's export as a file, and reports errors. */
export async function saveExported(
  exportPromise: Promise<ExportResult>,
  { name, type, noticeOf }: ExportFile,
): Promise<void> {
  try {
    const exported = await exportPromise
    saveExport(exported, name, type)
    if (noticeOf) notify({ text: noticeOf(exported.item_count), seconds: 8, actions: [] })
  } catch (error) {
    notifyProblem(error)
  }
}
