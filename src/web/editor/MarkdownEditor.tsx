import type { ChangeSet } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import styles from './editor.module.css'
import { headingsOf } from './headings.ts'
import { Toolbar } from './Toolbar.tsx'
import { hideName, type RemoteAuthor } from './remote-names.ts'
import {
  applyStored,
  editorText,
  nameEditor,
  openEditor,
  replaceText,
  selectedText,
  setSourceMode,
  drawStored,
  type EditorOptions,
} from './view.ts'

export interface EditorHandle {
  /** The current text, exact to the byte. */
  text(): string
  /** Replaces the text; the cursor stays in its line. */
  replace(text: string): void
  /** Applies a remote change, in positions of the stored text. */
  apply(changes: ChangeSet, by: RemoteAuthor | undefined): void
  /** Briefly shows a person's position in the stored text. */
  point(position: number, by: RemoteAuthor): void
  /** Removes a person's position. */
  unpoint(authorId: string): void
  /** Selected text, and its start in the stored text. */
  selected(): { text: string; start: number } | undefined
  /** Its current headings, each with a function that goes there. */
  headings(): ReturnType<typeof headingsOf>
  focus(): void
}

const none = Promise.resolve([])

interface Props extends EditorOptions {
  ref: Ref<EditorHandle>
}

/** An editor that renders Markdown while it is edited. `text` is the initial text. */
export function MarkdownEditor({ ref, ...options }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (!place.current) return
    const { onEdit, onMove, onSave, onEscape, completion, ...first } = latest.current
    const opened = openEditor(place.current, {
      ...first,
      completion: completion && ((query) => latest.current.completion?.(query) ?? none),
      onEdit: (changes) => latest.current.onEdit(changes),
      onMove: (position) => latest.current.onMove?.(position),
      onSave: () => latest.current.onSave(),
      onEscape: () => latest.current.onEscape(),
    })
    view.current = opened
    opened.focus()
    return () => opened.destroy()
  }, [])
  useEffect(() => {
    if (view.current) setSourceMode(view.current, options.isSource)
  }, [options.isSource])
  useEffect(() => {
    if (view.current) nameEditor(view.current, options.label)
  }, [options.label])
  useImperativeHandle(
    ref,
    () => ({
      text: () => (view.current ? editorText(view.current) : latest.current.text),
      replace: (text) => view.current && replaceText(view.current, text),
      apply: (changes, by) => view.current && applyStored(view.current, changes, by),
      point: (position, by) => view.current && drawStored(view.current, position, by),
      unpoint: (authorId) => view.current && hideName(view.current, authorId),
      selected: () => view.current && selectedText(view.current),
      headings: () => (view.current ? headingsOf(view.current) : []),
      focus: () => view.current?.focus(),
    }),
    [],
  )
  return (
    <>
      <Toolbar
        run={(command) => {
          if (!view.current) return
          command(view.current)
          view.current.focus()
        }}
      />
      <div ref={place} className={styles.text} />
    </>
  )
}
