import { useLayoutEffect, useRef, useState } from 'react'
import type { MailValues } from './composition.ts'
import type { TemplateText } from './TemplateMenu.tsx'
import { fillTemplateText, firstVariable, variablesOf } from './template-text.ts'

/**
 * Inserts templates at the cursor, with known values of the first recipient. Then the cursor is after the template,
 * or its first open variable is selected, so that typing replaces it.
 */
export function useTemplates(values: MailValues, change: (patch: Partial<MailValues>) => void) {
  const text = useRef<HTMLTextAreaElement>(null)
  const [selection, setSelection] = useState<{ start: number; end: number }>()
  useLayoutEffect(() => {
    if (!selection || !text.current) return
    const { current: field } = text
    const timer = setTimeout(() => {
      field.focus() // once the list has given the focus back
      field.setSelectionRange(selection.start, selection.end)
    })
    return () => clearTimeout(timer)
  }, [selection])
  const insert = ({ subject, body }: TemplateText) => {
    const variables = variablesOf(values.to[0])
    const insertedText = fillTemplateText(body, variables)
    const { body: oldBody } = values
    const start = text.current?.selectionStart ?? oldBody.length
    const end = text.current?.selectionEnd ?? start
    const newBody = oldBody.slice(0, start) + insertedText + oldBody.slice(end)
    const endOfInsert = start + insertedText.length
    const openVariable = firstVariable(newBody, start)
    change({
      body: newBody,
      ...(values.subject.trim() === '' && { subject: fillTemplateText(subject, variables) }),
    })
    setSelection(
      openVariable && openVariable.end <= endOfInsert
        ? openVariable
        : { start: endOfInsert, end: endOfInsert },
    )
  }
  return { text, insert }
}
