import { useEffect, useRef, useState } from 'react'
import { uploadInTurn } from '../../../ui/actions/upload-in-turn.ts'
import type { MessageDraft } from '../data/drafts.ts'

/** Uploads files one by one, and adds them to the draft. */
export function useUploads(draft: MessageDraft, setDraft: (draft: MessageDraft) => void) {
  const [uploading, setUploading] = useState<readonly string[]>([])
  const [parts, setParts] = useState<Readonly<Record<string, number>>>({})
  const latest = useRef({ draft, setDraft })
  useEffect(() => {
    latest.current = { draft, setDraft }
  })
  const upload = (files: readonly File[]) => {
    setUploading((names) => [...names, ...files.map((file) => file.name)])
    const ended = (name: string, file: MessageDraft['files'][number] | undefined) => {
      setUploading((names) => names.filter((item) => item !== name))
      const { draft: now, setDraft: set } = latest.current
      if (file) set({ ...now, files: [...now.files, file] })
    }
    void uploadInTurn(files, ended, (name, part) => setParts((all) => ({ ...all, [name]: part })))
  }
  /** Fraction of a file that has been uploaded, from 0 to 1. */
  const partSent = (name: string) => parts[name] ?? 0
  return { uploading, upload, partSent }
}
