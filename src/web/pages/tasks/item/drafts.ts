import { useEffect, useState } from 'react'

const prefix = 'workspace.draft '

/** A text that is kept in this browser while it is written, and is there again after a reload. */
export function useDraft(key: string, saved: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => localStorage.getItem(prefix + key) ?? saved)
  useEffect(() => {
    if (text === saved) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, text)
  }, [key, text, saved])
  return [text, setText]
}

/** What is kept under a key; null: nothing. */
export const localDraft = (key: string) => localStorage.getItem(prefix + key)

export const forgetDraft = (key: string) => localStorage.removeItem(prefix + key)

export const hasDraft = (key: string) => localStorage.getItem(prefix + key) !== null
