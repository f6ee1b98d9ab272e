import { Textarea } from '@mantine/core'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Suggestion } from '../../../ui/work/suggestions.ts'
import { completed, wantedAt, type CompletionRequest } from './completion.ts'
import styles from './compose.module.css'
import { Suggestions } from './Suggestions.tsx'
import { useSuggestions } from './useSuggestions.ts'

interface TextBoxProps {
  text: string
  setText: (text: string) => void
  label: string
  channelId: string | undefined
  box: RefObject<HTMLTextAreaElement | null>
  send: () => void
  /** Called for Escape if nothing is open in it. */
  leave: () => void
  /** ↑ in an empty text. */
  up?: (() => void) | undefined
  pasteFiles?: ((files: readonly File[]) => void) | undefined
  autoFocus?: boolean
}

/** Text field: Enter sends, Shift Enter starts a line; people, channels, items and emoji are completed. */
export function TextBox(props: TextBoxProps) {
  const { text, setText, label, channelId, box, pasteFiles, autoFocus } = props
  const id = useId()
  const completion = useCompletion({ text, setText, channelId, box })
  const { suggestions, at, isOpen } = completion
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (completion.pressed(event) || pressedIn(event, props)) event.preventDefault()
  }
  return (
    <div className={styles.textBox}>
      {isOpen && (
        <Suggestions
          id={id}
          suggestions={suggestions}
          at={at}
          point={completion.point}
          take={completion.take}
        />
      )}
      <Textarea
        ref={box}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          completion.look(event.currentTarget)
        }}
        onSelect={(event) => completion.look(event.currentTarget)}
        onBlur={completion.close}
        onKeyDown={pressed}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          if (files.length === 0 || !pasteFiles) return
          event.preventDefault()
          pasteFiles(files)
        }}
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        variant="unstyled"
        classNames={{ input: styles.input }}
        autosize
        minRows={1}
        maxRows={12}
        autoFocus={autoFocus}
        dir="auto"
      />
    </div>
  )
}

/** True if the text box handled a key. */
function pressedIn(
  event: KeyboardEvent<HTMLTextAreaElement>,
  { text, send, leave, up }: TextBoxProps,
): boolean {
  const isSending =
    event.key === 'Enter' &&
    !event.altKey &&
    (event.ctrlKey || event.metaKey || (!event.shiftKey && !isTouch()))
  if (isSending) send()
  else if (event.key === 'Escape' && !event.shiftKey) leave()
  else if (event.key === 'ArrowUp' && !event.altKey && !event.shiftKey && text === '' && up) up()
  else return false
  return true
}

/** True on touch devices, on which Enter starts a new line as usual. */
const isTouch = () => window.matchMedia('(pointer: coarse)').matches

type CompletionOptions = Pick<TextBoxProps, 'text' | 'setText' | 'channelId' | 'box'>

function useCompletion({ text, setText, channelId, box }: CompletionOptions) {
  const [wanted, setWanted] = useState<CompletionRequest>()
  const [at, setAt] = useState(0)
  const cursor = useRef<number>(undefined)
  const suggestions = useSuggestions(wanted, channelId)
  const isOpen = suggestions.length > 0
  const here = Math.min(at, suggestions.length - 1)
  useLayoutEffect(() => {
    if (cursor.current === undefined) return
    box.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = undefined
  })
  const close = () => setWanted(undefined)
  const look = (node: HTMLTextAreaElement) => {
    const request =
      node.selectionStart === node.selectionEnd && wantedAt(node.value, node.selectionStart)
    setWanted((before) => {
      if (!request) return undefined
      if (before?.query !== request.query) setAt(0)
      return request
    })
  }
  const take = (suggestion: Suggestion | undefined) => {
    const node = box.current
    if (!suggestion || !wanted || !node) return
    const next = completed(text, wanted, node.selectionEnd, suggestion.insert)
    cursor.current = next.cursor
    setText(next.text)
    close()
  }
  const pressed = ({ key, shiftKey, altKey }: KeyboardEvent): boolean => {
    if (!isOpen || altKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined) setAt((here + step + suggestions.length) % suggestions.length)
    else if (key === 'Tab' || (key === 'Enter' && !shiftKey)) take(suggestions[here])
    else if (key === 'Escape') close()
    else return false
    return true
  }
  return { suggestions, isOpen, at: here, point: setAt, take, close, look, pressed }
}
