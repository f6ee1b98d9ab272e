import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { uploadFile } from '../../api/upload/upload.ts'
import { notifyProblem } from '../../ui/confirm.tsx'

/** Maximum size of inline data; a request is limited to 1 MiB, and JSON makes data longer. */
const maxInlineBytes = 400_000
const headBytes = 64 * 1024

/** Import source; `serial` distinguishes successive choices. */
export interface ImportSource {
  serial: number
  name: string
  /** Beginning of the content, if it is text. */
  head: string
  /** Input of the operations: large files are in the drive. */
  input: { content: string } | { file_id: string }
}

let lastSerial = 0

/** Moves a file that was uploaded only for an import to the trash. */
function trash(id: string | undefined): void {
  if (id !== undefined) call('trash_file', { file_id: id }).catch(notifyProblem)
}

interface SourceState {
  source: ImportSource | undefined
  /** Upload of a large file, from 0 to 1. */
  upload: { name: string; part: number } | undefined
  error: unknown
  choose: (file: File) => Promise<void>
  clear: () => void
  /** Keeps the file in the drive until the returned function is called, because the import still reads it. */
  hold: () => () => void
}

/**
 * Source that the person chose to import. `read` returns the text of a small file that is sent in the call; other
 * files are uploaded, and moved to the trash once they are no longer needed.
 */
export function useImportSource(read: (file: File) => Promise<string | undefined>): SourceState {
  const [source, setSource] = useState<ImportSource>()
  const [upload, setUpload] = useState<SourceState['upload']>()
  const [error, setError] = useState<unknown>()
  const stop = useRef<AbortController>(undefined)
  const fileId = useRef<string>(undefined)
  useEffect(
    () => () => {
      stop.current?.abort()
      trash(fileId.current)
    },
    [],
  )
  const clear = () => {
    stop.current?.abort()
    trash(fileId.current)
    fileId.current = undefined
    setSource(undefined)
    setUpload(undefined)
    setError(undefined)
  }
  const choose = async (file: File) => {
    clear()
    stop.current = new AbortController()
    const { signal } = stop.current
    const finishUpload = (apply: () => void) => {
      if (signal.aborted) return
      setUpload(undefined)
      apply()
    }
    try {
      const progress = (part: number) => setUpload({ name: file.name, part })
      const input = await importInputOf(file, read, { signal, onProgress: progress })
      const id = 'file_id' in input ? input.file_id : undefined
      if (signal.aborted) return trash(id)
      fileId.current = id
      const head = await file.slice(0, headBytes).text()
      finishUpload(() => setSource({ serial: ++lastSerial, name: file.name, head, input }))
    } catch (problem) {
      finishUpload(() => setError(problem))
    }
  }
  const hold = () => {
    const id = fileId.current
    fileId.current = undefined
    return () => trash(id)
  }
  return { source, upload, error, choose, clear, hold }
}

/** A file as an operation argument: its text, or an uploaded file. */
async function importInputOf(
  file: File,
  read: (file: File) => Promise<string | undefined>,
  options: { signal: AbortSignal; onProgress: (part: number) => void },
): Promise<ImportSource['input']> {
  const content = file.size <= maxInlineBytes ? await read(file) : undefined
  if (content !== undefined) return { content }
  options.onProgress(0)
  return { file_id: (await uploadFile(file, options)).id }
}
