import { useEffect, useState } from 'react'

const prefix = 'workspace.draft '
const ofBase = ' base'

/** A text stored in this browser during editing, and restored after a reload. */
export function useDraft(key: string, saved: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => localStorage.getItem(prefix + key) ?? saved)
  useEffect(() => {
    if (text === saved) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, text)
  }, [key, text, saved])
  return [text, setText]
}

/** A draft of a text that others may change meanwhile; `base` is its original text. */
export function useRebasedDraft(key: string, saved: string) {
  const baseKey = prefix + key + ofBase
  const [base, setBase] = useState(() => localStorage.getItem(baseKey) ?? saved)
  const [text, setText] = useDraft(key, base)
  useEffect(() => {
    if (text === base) localStorage.removeItem(baseKey)
    else localStorage.setItem(baseKey, base)
  }, [baseKey, text, base])
  return { text, setText, base, setBase }
}

/** Stored draft of a key; null: none. */
export const localDraft = (key: string) => localStorage.getItem(prefix + key)

/** Stores a text as a draft. */
export const keepDraft = (key: string, text: string) => localStorage.setItem(prefix + key, text)

export function forgetDraft(key: string): void {
  localStorage.removeItem(prefix + key)
  localStorage.removeItem(prefix + key + ofBase)
}

/** Deletes all drafts with this key prefix. */
export function forgetDraftsOf(beginning: string): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(prefix + beginning)) localStorage.removeItem(key)
}

export const hasDraft = (key: string) => localStorage.getItem(prefix + key) !== null
