import { Textarea } from '@mantine/core'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Suggestion } from '../../../ui/work/suggestions.ts'
import { applyCompletion, findCompletion, type CompletionRequest } from './completion.ts'
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
  /** Called for Escape if no suggestions are open. */
  leave: () => void
  /** Called for ArrowUp in an empty text. */
  onArrowUp?: (() => void) | undefined
  pasteFiles?: ((files: readonly File[]) => void) | undefined
  autoFocus?: boolean
}

/** Text field: Enter sends, Shift Enter starts a line; people, channels, items and emoji are completed. */
export function TextBox(props: TextBoxProps) {
  const { text, setText, label, channelId, box, pasteFiles, autoFocus } = props
  const id = useId()
  const completion = useCompletion({ text, setText, channelId, box })
  const { suggestions, activeIndex, isOpen } = completion
  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (completion.pressed(event) || handleTextKey(event, props)) event.preventDefault()
  }
  return (
    <div className={styles.textBox}>
      {isOpen && (
        <Suggestions
          id={id}
          suggestions={suggestions}
          activeIndex={activeIndex}
          setActiveIndex={completion.point}
          accept={completion.take}
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
        onKeyDown={handleKeyDown}
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
        aria-activedescendant={isOpen ? `${id}-${activeIndex}` : undefined}
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
function handleTextKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  { text, send, leave, onArrowUp }: TextBoxProps,
): boolean {
  const isSending =
    event.key === 'Enter' &&
    !event.altKey &&
    (event.ctrlKey || event.metaKey || (!event.shiftKey && !isTouch()))
  if (isSending) send()
  else if (event.key === 'Escape' && !event.shiftKey) leave()
  else if (event.key === 'ArrowUp' && !event.altKey && !event.shiftKey && text === '' && onArrowUp)
    onArrowUp()
  else return false
  return true
}

/** True on touch devices, on which Enter starts a new line as usual. */
const isTouch = () => window.matchMedia('(pointer: coarse)').matches

type CompletionOptions = Pick<TextBoxProps, 'text' | 'setText' | 'channelId' | 'box'>

function useCompletion({ text, setText, channelId, box }: CompletionOptions) {
  const [completionRequest, setCompletionRequest] = useState<CompletionRequest>()
  const [selectedIndex, setSelectedIndex] = useState(0)
  const cursor = useRef<number>(undefined)
  const suggestions = useSuggestions(completionRequest, channelId)
  const isOpen = suggestions.length > 0
  const activeIndex = Math.min(selectedIndex, suggestions.length - 1)
  useLayoutEffect(() => {
    if (cursor.current === undefined) return
    box.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = undefined
  })
  const close = () => setCompletionRequest(undefined)
  const detect = (node: HTMLTextAreaElement) => {
    const request =
      node.selectionStart === node.selectionEnd && findCompletion(node.value, node.selectionStart)
    setCompletionRequest((previous) => {
      if (!request) return undefined
      if (previous?.query !== request.query) setSelectedIndex(0)
      return request
    })
  }
  const accept = (suggestion: Suggestion | undefined) => {
    const node = box.current
    if (!suggestion || !completionRequest || !node) return
    const next = applyCompletion(text, completionRequest, node.selectionEnd, suggestion.insert)
    cursor.current = next.cursor
    setText(next.text)
    close()
  }
  const handleKey = ({ key, shiftKey, altKey }: KeyboardEvent): boolean => {
    if (!isOpen || altKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined)
      setSelectedIndex((activeIndex + step + suggestions.length) % suggestions.length)
    else if (key === 'Tab' || (key === 'Enter' && !shiftKey)) accept(suggestions[activeIndex])
    else if (key === 'Escape') close()
    else return false
    return true
  }
  return {
    suggestions,
    isOpen,
    activeIndex,
    point: setSelectedIndex,
    take: accept,
    close,
    look: detect,
    pressed: handleKey,
  }
}
