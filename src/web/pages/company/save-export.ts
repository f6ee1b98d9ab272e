import { notify } from '../../store/index.ts'
import { notifyProblem } from '../../ui/confirm.tsx'

const keptMs = 60_000

/** An export as operations answer it: with the file itself, or where it is. */
interface Exported {
  inline?: string | undefined
  download_url?: string | undefined
  item_count: number
}

function saveExport({ inline, download_url }: Exported, name: string, type: string): void {
  const url =
    inline === undefined ? download_url : URL.createObjectURL(new Blob([inline], { type }))
  if (url === undefined) return
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  if (url.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(url), keptMs)
}

interface ExportFile {
  name: string
  type: string
  /** What is said once it is there; default: nothing, as the file speaks for itself. */
  said?: (count: number) => string
}

/** Saves what an operation exports as a file, and says what went wrong. */
export async function saveExported(
  exporting: Promise<Exported>,
  { name, type, said }: ExportFile,
): Promise<void> {
  try {
    const made = await exporting
    saveExport(made, name, type)
    if (said) notify({ text: said(made.item_count), seconds: 8, actions: [] })
  } catch (error) {
    notifyProblem(error)
  }
}
