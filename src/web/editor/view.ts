// The editor in a page. CodeMirror is loaded only with this file.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import {
  Annotation,
  Compartment,
  EditorState,
  Prec,
  StateField,
  Text,
  Transaction,
  type ChangeSet,
  type ChangeSpec,
} from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { lineHunks } from '../../kernel/text/merge.ts'
import { applyTextChanges, maxLiveChars } from '../../kernel/text/text-changes.ts'
import { nonce } from '../nonce.ts'
import { wiki } from '../texts/en/wiki.ts'
import { filePaste } from './files/files.ts'
import { formatKeys } from './format.ts'
import { dispatchInPlace } from './in-place.ts'
import { markdownLanguage } from './language.ts'
import { preserveLineEnds, lineEndsOf, withLineEnds } from './line-ends.ts'
import { linkPaste } from './link-paste.ts'
import { editorPosition, fromStored, toStored } from './live/stored-changes.ts'
import { completionMenu, type MenuSource } from './menu/menu.ts'
import { richPaste } from './paste/rich-paste.ts'
import { livePreview, maxPreviewChars } from './preview.ts'
import { remoteMarks, createChangeMarks } from './remote-marks.ts'
import { drawName, type RemoteAuthor } from './remote-names.ts'
import { typeOverHandler } from './type-over.ts'

export interface EditorOptions {
  text: string
  /** Accessible name. */
  label: string
  /** Id of the element that describes its status. */
  describedBy: string
  placeholder: string
  isSource: boolean
  /** Finds suggestions for `[[` and `@`; without it there are none. */
  completion?: MenuSource | undefined
  /** Called when the text was changed here; positions are those of the stored text. */
  onEdit: (changes: ChangeSet) => void
  /** Called when the cursor was moved here; the position is that of the stored text. */
  onMove?: ((position: number) => void) | undefined
  onSave: () => void
  onEscape: () => void
}

const highlighting = HighlightStyle.define([
  { tag: tags.processingInstruction, class: 'md-sign' },
  { tag: tags.url, class: 'md-url' },
  { tag: tags.labelName, class: 'md-sign' },
])

const previewCompartment = new Compartment()
const labelCompartment = new Compartment()
const labelAttribute = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label })

/** Marks changes made elsewhere, which are not edits of this editor. */
const externalChange = Annotation.define<boolean>()

const isEdit = (transaction: Transaction) =>
  transaction.docChanged && !transaction.annotation(externalChange)

const previewExtension = (length: number, isSource: boolean) =>
  isSource || length > maxPreviewChars ? [] : livePreview

/** Mounts an editor in an element. Its text stays identical to the byte until edited. */
export function openEditor(parent: HTMLElement, options: EditorOptions): EditorView {
  return new EditorView({ state: createEditorState(options), parent })
}

function createEditorState(options: EditorOptions): EditorState {
  const run = (callback: () => void) => () => {
    callback()
    return true
  }
  return EditorState.create({
    doc: options.text,
    extensions: [
      optionsField.init(() => options),
      remoteMarks,
      preserveLineEnds(options.text),
      EditorView.cspNonce.of(nonce),
      Prec.high(
        keymap.of([
          { key: 'Mod-Enter', run: run(options.onSave) },
          { key: 'Mod-s', run: run(options.onSave), preventDefault: true },
          { key: 'Escape', run: run(options.onEscape) },
          ...formatKeys,
        ]),
      ),
      options.completion ? completionMenu(options.completion, wiki.menu) : [],
      keymap.of([...historyKeymap, ...defaultKeymap]),
      history(),
      highlightSpecialChars(),
      bracketMatching(),
      typeOverHandler,
      linkPaste,
      filePaste,
      richPaste,
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      placeholder(options.placeholder),
      // as plain text if it is long: a paragraph of a megabyte would be parsed again at every keystroke
      options.text.length > maxLiveChars ? [] : markdownLanguage.extension,
      syntaxHighlighting(highlighting),
      previewCompartment.of(previewExtension(options.text.length, options.isSource)),
      labelCompartment.of(labelAttribute(options.label)),
      EditorView.contentAttributes.of({
        'aria-describedby': options.describedBy,
        spellcheck: 'true',
        autocapitalize: 'sentences',
        dir: 'auto',
      }),
      // converts pasted text to the text's line endings
      EditorView.clipboardInputFilter.of((pasted, { lineBreak }) =>
        withLineEnds(pasted, lineBreak),
      ),
      EditorView.updateListener.of(({ transactions, selectionSet, focusChanged, view, state }) => {
        const edits = transactions.filter(isEdit)
        for (const transaction of edits) options.onEdit(storedChanges(transaction))
        if ((edits.length > 0 || selectionSet || focusChanged) && view.hasFocus)
          options.onMove?.(storedPosition(state, state.selection.main.head))
      }),
    ],
  })
}

const optionsField = StateField.define<EditorOptions | undefined>({
  create: () => undefined,
  update: (options) => options,
})

const hasWindowsEnds = (state: EditorState) => state.lineBreak === '\r\n'

const storedPosition = (state: EditorState, position: number) =>
  hasWindowsEnds(state) ? position + state.doc.lineAt(position).number - 1 : position

function storedChanges({ changes, startState }: Transaction): ChangeSet {
  return hasWindowsEnds(startState) ? toStored(changes, startState.doc) : changes
}

/**
 * Applies a remote change, in positions of the stored text, without moving the cursor, scrolling, or adding an undo
 * step. Briefly shows `author`.
 */
export function applyStored(
  view: EditorView,
  step: ChangeSet,
  author: RemoteAuthor | undefined,
): void {
  const { state } = view
  const changes = hasWindowsEnds(state) ? fromStored(step, state.doc) : step
  if (!changes) return reopen(view, applyTextChanges(editorText(view), step))
  const highlight = author && createChangeMarks(changes, author)
  dispatchInPlace(view, {
    changes,
    effects: highlight?.effects ?? [],
    annotations: [Transaction.addToHistory.of(false), externalChange.of(true)],
  })
  highlight?.fade(view)
}

/** Briefly shows a person's position in the stored text. */
export function drawStoredPosition(view: EditorView, position: number, author: RemoteAuthor): void {
  const { doc } = view.state
  const localPosition = hasWindowsEnds(view.state) ? editorPosition(doc, position) : position
  if (localPosition !== undefined) drawName(view, localPosition, author)
}

/** Replaces this text by one with other line endings. */
function reopen(view: EditorView, text: string): void {
  const options = view.state.field(optionsField)
  if (!options) throw new Error('The editor was opened without options.')
  const { anchor } = view.state.selection.main
  const hadFocus = view.hasFocus
  view.setState(createEditorState({ ...options, text }))
  view.dispatch({ selection: { anchor: Math.min(anchor, view.state.doc.length) } })
  if (hadFocus) view.focus()
}

/** The text, exact to the byte. */
export const editorText = (view: EditorView) => view.state.sliceDoc()

/** Selected text, and its start in the stored text; undefined without a selection. */
export function selectedText({ state }: EditorView): { text: string; start: number } | undefined {
  const { from, to, empty } = state.selection.main
  return empty ? undefined : { text: state.sliceDoc(from, to), start: storedPosition(state, from) }
}

/** Sets the label of an editor. */
export function nameEditor(view: EditorView, label: string): void {
  view.dispatch({ effects: labelCompartment.reconfigure(labelAttribute(label)) })
}

/** Shows Markdown syntax everywhere, or only at the cursor. */
export function setSourceMode(view: EditorView, isSource: boolean): void {
  view.dispatch({
    effects: previewCompartment.reconfigure(previewExtension(view.state.doc.length, isSource)),
  })
}

/** Replaces the text: unchanged lines stay, with the cursor in them, and no undo step is added. */
export function replaceText(view: EditorView, text: string): void {
  if ((lineEndsOf(text) === 'crlf') !== hasWindowsEnds(view.state)) return reopen(view, text)
  const { doc } = view.state
  const next = view.state.toText(text)
  const changes = lineHunks(doc.toString(), next.toString()).map((hunk) => hunkChange(doc, hunk))
  if (changes.length === 0) return
  dispatchInPlace(view, {
    changes,
    annotations: [Transaction.addToHistory.of(false), externalChange.of(true)],
  })
}

function hunkChange(
  doc: Text,
  { start, end, lines }: ReturnType<typeof lineHunks>[number],
): ChangeSpec {
  if (start === end) {
    if (start < doc.lines)
      return { from: doc.line(start + 1).from, insert: Text.of([...lines, '']) }
    return { from: doc.length, insert: Text.of(['', ...lines]) }
  }
  const { from } = doc.line(start + 1)
  const { to } = doc.line(end)
  if (lines.length > 0) return { from, to, insert: Text.of([...lines]) }
  if (end < doc.lines) return { from, to: to + 1 }
  return { from: Math.max(0, from - 1), to }
}
