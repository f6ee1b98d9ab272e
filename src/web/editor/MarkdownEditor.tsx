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
  drawStoredPosition,
  type EditorOptions,
} from './view.ts'

export interface EditorHandle {
  /** The current text, exact to the byte. */
  text(): string
  /** Replaces the text; the cursor stays in its line. */
  replace(text: string): void
  /** Applies a remote change, in positions of the stored text. */
  apply(changes: ChangeSet, author: RemoteAuthor | undefined): void
  /** Briefly shows a person's position in the stored text. */
  showPosition(position: number, author: RemoteAuthor): void
  /** Removes a person's position. */
  hidePosition(authorId: string): void
  /** The selected text, and its start in the stored text. */
  selection(): { text: string; start: number } | undefined
  /** Its current headings, each with a function that goes there. */
  headings(): ReturnType<typeof headingsOf>
  focus(): void
}

const noCompletions = Promise.resolve([])

interface Props extends EditorOptions {
  ref: Ref<EditorHandle>
}

/** An editor that renders Markdown while it is edited. `text` is the initial text. */
export function MarkdownEditor({ ref, ...options }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (!container.current) return
    const { onEdit, onMove, onSave, onEscape, completion, ...initialOptions } = latest.current
    const editor = openEditor(container.current, {
      ...initialOptions,
      completion: completion && ((query) => latest.current.completion?.(query) ?? noCompletions),
      onEdit: (changes) => latest.current.onEdit(changes),
      onMove: (position) => latest.current.onMove?.(position),
      onSave: () => latest.current.onSave(),
      onEscape: () => latest.current.onEscape(),
    })
    view.current = editor
    editor.focus()
    return () => editor.destroy()
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
      showPosition: (position, by) =>
        view.current && drawStoredPosition(view.current, position, by),
      hidePosition: (authorId) => view.current && hideName(view.current, authorId),
      selection: () => view.current && selectedText(view.current),
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
      <div ref={container} className={styles.text} />
    </>
  )
}
