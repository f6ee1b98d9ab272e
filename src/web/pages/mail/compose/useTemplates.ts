import { useLayoutEffect, useRef, useState } from 'react'
import type { MailValues } from './composition.ts'
import type { TemplateText } from './TemplateMenu.tsx'
import { filledText, firstSlot, variablesOf } from './template-text.ts'

/**
 * Inserts templates at the cursor, with known values of the first recipient. Then the cursor is after the template,
 * or its first open variable is selected, so that typing replaces it.
 */
export function useTemplates(values: MailValues, change: (set: Partial<MailValues>) => void) {
  const text = useRef<HTMLTextAreaElement>(null)
  const [wanted, setWanted] = useState<{ start: number; end: number }>()
  useLayoutEffect(() => {
    if (!wanted || !text.current) return
    const { current: field } = text
    const timer = setTimeout(() => {
      field.focus() // once the list has given the focus back
      field.setSelectionRange(wanted.start, wanted.end)
    })
    return () => clearTimeout(timer)
  }, [wanted])
  const insert = ({ subject, body }: TemplateText) => {
    const variables = variablesOf(values.to[0])
    const filled = filledText(body, variables)
    const { body: before } = values
    const start = text.current?.selectionStart ?? before.length
    const end = text.current?.selectionEnd ?? start
    const written = before.slice(0, start) + filled + before.slice(end)
    const behind = start + filled.length
    const open = firstSlot(written, start)
    change({
      body: written,
      ...(values.subject.trim() === '' && { subject: filledText(subject, variables) }),
    })
    setWanted(open && open.end <= behind ? open : { start: behind, end: behind })
  }
  return { text, insert }
}
