import { useEffect, useRef, useState } from 'react'
import { uploadInTurn } from '../../../ui/actions/upload-in-turn.ts'
import type { MessageDraft } from '../data/drafts.ts'

/** Uploads files one by one, and adds them to the draft. */
export function useUploads(draft: MessageDraft, setDraft: (draft: MessageDraft) => void) {
  const [uploadingNames, setUploading] = useState<readonly string[]>([])
  const [fractions, setFractions] = useState<Readonly<Record<string, number>>>({})
  const latest = useRef({ draft, setDraft })
  useEffect(() => {
    latest.current = { draft, setDraft }
  })
  const upload = (files: readonly File[]) => {
    setUploading((names) => [...names, ...files.map((file) => file.name)])
    const onEnd = (name: string, file: MessageDraft['files'][number] | undefined) => {
      setUploading((names) => names.filter((item) => item !== name))
      const { draft: current, setDraft: set } = latest.current
      if (file) set({ ...current, files: [...current.files, file] })
    }
    void uploadInTurn(files, onEnd, (name, fraction) =>
      setFractions((previous) => ({ ...previous, [name]: fraction })),
    )
  }
  /** Fraction of a file that has been uploaded, from 0 to 1. */
  const uploadedFraction = (name: string) => fractions[name] ?? 0
  return { uploadingNames, upload, uploadedFraction }
}
