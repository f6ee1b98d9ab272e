import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../api/problem.ts'
import { notify } from '../../../store/index.ts'
import type { MessageDraft } from '../data/drafts.ts'
import { uploadFile } from '../data/upload.ts'

/** Uploads files one after the other, and puts them into the draft. */
export function useUploads(draft: MessageDraft, setDraft: (draft: MessageDraft) => void) {
  const [uploading, setUploading] = useState<readonly string[]>([])
  const latest = useRef({ draft, setDraft })
  useEffect(() => {
    latest.current = { draft, setDraft }
  })
  const upload = (files: readonly File[]) => {
    setUploading((names) => [...names, ...files.map((file) => file.name)])
    void uploadAll(files, (name, file) => {
      setUploading((names) => names.filter((item) => item !== name))
      const { draft: now, setDraft: set } = latest.current
      if (file) set({ ...now, files: [...now.files, file] })
    })
  }
  return { uploading, upload }
}

type Done = (name: string, file: MessageDraft['files'][number] | undefined) => void

async function uploadAll(files: readonly File[], done: Done): Promise<void> {
  for (const file of files) {
    try {
      done(file.name, await uploadFile(file))
    } catch (error) {
      done(file.name, undefined)
      notify({ text: file.name, problem: errorMessage(error), seconds: 0, actions: [] })
    }
  }
}
