// A field for expressions and templates. CodeMirror is loaded with the pages that need it.

import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language'
import { Annotation, Compartment, EditorState, Prec } from '@codemirror/state'
import { Decoration, EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { nonce } from '../../nonce.ts'
import { typeOverHandler } from '../type-over.ts'
import { celLanguage, templateLanguage } from './languages.ts'

export interface CodeOptions {
  text: string
  /** Contains a text with templates, not an expression. */
  isTemplate: boolean
  /** Enter inserts a line break. */
  hasLines: boolean
  isReadOnly: boolean
  maxLength: number
  placeholder: string
  /** Called when a person has changed the text; `isInString`: the cursor is in a string literal. */
  onEdit: (text: string, cursor: number | undefined, isInString: boolean) => void
  /** Called when the cursor moved without a change. */
  onMove: () => void
  /** Returns whether the suggestions handled a key. */
  onKey: (key: string) => boolean
  onBlur: () => void
}

const highlighting = HighlightStyle.define([
  { tag: tags.string, class: 'code-text' },
  { tag: [tags.number, tags.atom], class: 'code-value' },
  { tag: [tags.keyword, tags.brace], class: 'code-word' },
  { tag: tags.function(tags.variableName), class: 'code-function' },
  { tag: [tags.operator, tags.comment], class: 'code-sign' },
])

const attributes = new Compartment()
const errorMark = new Compartment()
const externalChange = Annotation.define<boolean>()

/** Mounts a field in an element. Tab leaves it. */
export function openCode(parent: HTMLElement, options: CodeOptions): EditorView {
  return new EditorView({ parent, state: createCodeState(options) })
}

function createCodeState(options: CodeOptions): EditorState {
  const suggestionKeys = ['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape', 'Ctrl-Space'].map(
    (key) => ({
      key,
      run: () => options.onKey(key),
    }),
  )
  return EditorState.create({
    doc: options.text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      Prec.high(keymap.of([...suggestionKeys, ...(options.hasLines ? [] : [ignoreEnter])])),
      keymap.of([...historyKeymap, ...standardKeymap]),
      history(),
      bracketMatching(),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      placeholder(options.placeholder),
      options.isTemplate ? templateLanguage : celLanguage,
      syntaxHighlighting(highlighting),
      EditorView.editable.of(!options.isReadOnly),
      EditorState.readOnly.of(options.isReadOnly),
      attributes.of([]),
      errorMark.of([]),
      textLimits(options),
      typeOverHandler,
      EditorView.domEventHandlers({ blur: options.onBlur }),
      EditorView.updateListener.of(({ state, transactions, docChanged, selectionSet }) => {
        if (transactions.some((transaction) => transaction.annotation(externalChange))) return
        const { head, empty } = state.selection.main
        if (docChanged) options.onEdit(state.sliceDoc(), empty ? head : undefined, isInText(state))
        else if (selectionSet) options.onMove()
      }),
    ],
  })
}

const ignoreEnter = { key: 'Enter', run: () => true, shift: () => true }

/** Limits the text's length, and keeps a single-line field on one line. */
const textLimits = ({ hasLines, maxLength }: CodeOptions) => [
  EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.annotation(externalChange)) return transaction
    const { doc } = transaction.startState
    const isLonger = transaction.newDoc.length > maxLength && transaction.newDoc.length > doc.length
    return isLonger || (!hasLines && transaction.newDoc.lines > doc.lines) ? [] : transaction
  }),
  hasLines
    ? []
    : EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\s*[\r\n]+\s*/g, ' ')),
]

const isInText = (state: EditorState) =>
  syntaxTree(state).resolveInner(state.selection.main.head, -1).name === 'string'

/** Cursor position, and whether it is inside a string literal. */
export const cursorOf = ({ state }: EditorView) => ({
  position: state.selection.main.head,
  isInString: isInText(state),
})

/** Replaces the text after an external change. */
export function setCode(view: EditorView, text: string): void {
  if (view.state.sliceDoc() === text) return
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    annotations: externalChange.of(true),
  })
}

/**
 * Replaces the word before the cursor with a name; the cursor moves behind it, or between its brackets if it has
 * them.
 */
export function insertName(view: EditorView, typedLength: number, name: string): void {
  const { head } = view.state.selection.main
  const cursor = head - typedLength + name.length - (name.endsWith('()') ? 1 : 0)
  view.dispatch({
    changes: { from: head - typedLength, to: head, insert: name },
    selection: { anchor: cursor },
    userEvent: 'input.complete',
  })
}

/** Sets the accessible name and description of the field. */
export function describeCode(view: EditorView, values: Record<string, string>): void {
  view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(values)) })
}

/** Marks the word at a position as an error; without a position, removes the mark. */
export function markError(
  view: EditorView,
  position: { line: number; column: number } | undefined,
) {
  view.dispatch({
    effects: errorMark.reconfigure(position ? errorMarksAt(view.state, position) : []),
  })
}

function errorMarksAt(state: EditorState, { line, column }: { line: number; column: number }) {
  if (line > state.doc.lines || state.doc.length === 0) return []
  const { from, to, text } = state.doc.line(line)
  const start = Math.min(Math.max(column - 1, 0), Math.max(text.length - 1, 0))
  const word = /^(?:\w+|\W)/.exec(text.slice(start))?.[0].length ?? 0
  if (word === 0) return []
  const mark = Decoration.mark({ class: 'code-wrong' })
  return EditorView.decorations.of(
    Decoration.set(mark.range(from + start, Math.min(from + start + word, to))),
  )
}
