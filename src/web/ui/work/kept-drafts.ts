import { useEffect, useState } from 'react'

const storagePrefix = 'workspace.draft '
const baseSuffix = ' base'

/** A text stored in this browser during editing, and restored after a reload. */
export function useDraft(key: string, saved: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => localStorage.getItem(storagePrefix + key) ?? saved)
  useEffect(() => {
    if (text === saved) localStorage.removeItem(storagePrefix + key)
    else localStorage.setItem(storagePrefix + key, text)
  }, [key, text, saved])
  return [text, setText]
}

/** A draft of a text that others may change meanwhile; `base` is its original text. */
export function useRebasedDraft(key: string, saved: string) {
  const baseKey = storagePrefix + key + baseSuffix
  const [base, setBase] = useState(() => localStorage.getItem(baseKey) ?? saved)
  const [text, setText] = useDraft(key, base)
  useEffect(() => {
    if (text === base) localStorage.removeItem(baseKey)
    else localStorage.setItem(baseKey, base)
  }, [baseKey, text, base])
  return { text, setText, base, setBase }
}

/** Stored draft of a key; null: none. */
export const readDraft = (key: string) => localStorage.getItem(storagePrefix + key)

/** Stores a text as a draft. */
export const storeDraft = (key: string, text: string) =>
  localStorage.setItem(storagePrefix + key, text)

export function deleteDraft(key: string): void {
  localStorage.removeItem(storagePrefix + key)
  localStorage.removeItem(storagePrefix + key + baseSuffix)
}

/** Deletes all drafts with this key prefix. */
export function deleteDraftsWithPrefix(keyPrefix: string): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(storagePrefix + keyPrefix)) localStorage.removeItem(key)
}

export const hasDraft = (key: string) => localStorage.getItem(storagePrefix + key) !== null
