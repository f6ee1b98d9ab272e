// Renders Markdown in place: hides syntax away from the cursor, without changing any byte.

import { syntaxTree } from '@codemirror/language'
import { RangeSet, type EditorState, type Range } from '@codemirror/state'
import {
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view'
import type { SyntaxNodeRef } from '@lezer/common'
import { Picture, parseDriveImage } from './pictures.ts'
import { BulletMark, TaskBox } from './widgets.ts'

/** Longer texts are shown as source, so that typing stays fast. */
export const maxPreviewChars = 300_000

const hideDecoration = Decoration.replace({})

const inlineMarks: Readonly<Record<string, Decoration>> = Object.fromEntries(
  Object.entries({
    Emphasis: 'md-emphasis',
    StrongEmphasis: 'md-strong',
    Strikethrough: 'md-struck',
    InlineCode: 'md-code',
    Link: 'md-link',
    WikiLink: 'md-link md-wiki',
    Autolink: 'md-link',
    Image: 'md-image',
    HTMLTag: 'md-html',
    Comment: 'md-html',
    Escape: 'md-escape',
  }).map(([name, className]) => [name, Decoration.mark({ class: className })]),
)

/** Classes for the lines of a block. */
const lineClasses: Readonly<Record<string, string>> = {
  ATXHeading1: 'md-h1',
  ATXHeading2: 'md-h2',
  ATXHeading3: 'md-h3',
  ATXHeading4: 'md-h4',
  ATXHeading5: 'md-h5',
  ATXHeading6: 'md-h6',
  SetextHeading1: 'md-h1',
  SetextHeading2: 'md-h2',
  Blockquote: 'md-quote',
  FencedCode: 'md-block-code',
  CodeBlock: 'md-block-code',
  HTMLBlock: 'md-block-html',
  CommentBlock: 'md-block-html',
  FrontMatter: 'md-block-html',
  Table: 'md-table',
  HorizontalRule: 'md-rule',
}

/** Syntax that is hidden unless the cursor or the selection touches its element. */
const inlineSyntax = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'LinkMark',
  'URL',
  'LinkTitle',
  'WikiLinkMark',
])

class Preview {
  decorations: DecorationSet

  constructor(view: EditorView) {
    this.decorations = decorate(view)
  }

  update(update: ViewUpdate): void {
    const isReparsed = syntaxTree(update.startState) !== syntaxTree(update.state)
    if (
      update.docChanged ||
      update.viewportChanged ||
      update.selectionSet ||
      update.focusChanged ||
      isReparsed
    )
      this.decorations = decorate(update.view)
  }
}

export const livePreview = ViewPlugin.fromClass(Preview, {
  decorations: (plugin) => plugin.decorations,
})

function decorate(view: EditorView): DecorationSet {
  const builder = new DecorationBuilder(view.state, view.hasFocus)
  for (const { from, to } of view.visibleRanges)
    syntaxTree(view.state).iterate({ from, to, enter: (node) => builder.enter(node, from, to) })
  return RangeSet.of(builder.ranges, true)
}

class DecorationBuilder {
  readonly ranges: Range<Decoration>[] = []
  readonly #state: EditorState
  readonly #isFocused: boolean

  constructor(state: EditorState, isFocused: boolean) {
    this.#state = state
    this.#isFocused = isFocused
  }

  enter(node: SyntaxNodeRef, from: number, to: number): boolean | undefined {
    const { name } = node
    const lineClass = lineClasses[name]
    if (lineClass !== undefined)
      this.#addLineClass(lineClass, Math.max(node.from, from), Math.min(node.to, to))
    if (name === 'Image' && this.#picture(node)) return false
    const mark = inlineMarks[name]
    if (mark && node.to > node.from) this.ranges.push(mark.range(node.from, node.to))
    if (inlineSyntax.has(name)) this.#hideInlineSyntax(node)
    else if (name === 'CodeMark') this.#codeMark(node)
    else if (name === 'HeaderMark') this.#headerMark(node)
    else if (name === 'QuoteMark') this.#hide(node.from, node.to, true)
    else if (name === 'ListMark') this.#listMark(node)
    else if (name === 'TaskMarker') this.#taskMarker(node)
    else if (name === 'Escape') this.#hide(node.from, node.from + 1)
    return undefined
  }

  /** Shows a drive picture instead of its Markdown. */
  #picture({ from, to }: SyntaxNodeRef): boolean {
    const file = this.#isTouched(from, to)
      ? undefined
      : parseDriveImage(this.#state.sliceDoc(from, to))
    if (!file || this.#state.doc.lineAt(from).to < to) return false
    this.ranges.push(Decoration.replace({ widget: new Picture(file) }).range(from, to))
    return true
  }

  /** True if the cursor or selection touches a range. */
  #isTouched(from: number, to: number): boolean {
    return (
      this.#isFocused &&
      this.#state.selection.ranges.some((range) => range.from <= to && range.to >= from)
    )
  }

  #isLineTouched(position: number): boolean {
    const line = this.#state.doc.lineAt(position)
    return this.#isTouched(line.from, line.to)
  }

  #addLineClass(className: string, from: number, to: number): void {
    const { doc } = this.#state
    const lastNumber = doc.lineAt(to).number
    for (let number = doc.lineAt(from).number; number <= lastNumber; number++) {
      const line = doc.line(number)
      this.ranges.push(Decoration.line({ class: className }).range(line.from))
    }
  }

  #hide(from: number, to: number, byLine = false): void {
    if (to <= from) return
    const isShown = byLine ? this.#isLineTouched(from) : this.#isTouched(from, to)
    if (!isShown) this.ranges.push(hideDecoration.range(from, to))
  }

  #hideInlineSyntax(node: SyntaxNodeRef): void {
    const parent = node.node.parent
    if (!parent || parent.name === 'Paragraph' || parent.name === 'LinkReference') return
    if (parent.name === 'Autolink' && node.name === 'URL') return
    if (!this.#isTouched(parent.from, parent.to) && node.to > node.from)
      this.ranges.push(hideDecoration.range(node.from, node.to))
  }

  #codeMark(node: SyntaxNodeRef): void {
    if (node.node.parent?.name === 'InlineCode') this.#hideInlineSyntax(node)
  }

  /** `#` and the following space. */
  #headerMark(node: SyntaxNodeRef): void {
    if (node.node.parent?.name.startsWith('Setext')) return
    const isTrailing = node.from > (node.node.parent?.from ?? 0)
    const { to: end } = this.#state.doc.lineAt(node.from)
    if (!this.#isLineTouched(node.from))
      this.ranges.push(
        hideDecoration.range(node.from, isTrailing ? node.to : Math.min(node.to + 1, end)),
      )
  }

  #listMark(node: SyntaxNodeRef): void {
    const text = this.#state.sliceDoc(node.from, node.to)
    const isTask = node.node.nextSibling?.name === 'Task'
    if (!/^[-*+]$/.test(text) || this.#isTouched(node.from, node.to)) return
    const mark = isTask ? hideDecoration : Decoration.replace({ widget: new BulletMark() })
    this.ranges.push(mark.range(node.from, isTask ? node.to + 1 : node.to))
  }

  #taskMarker(node: SyntaxNodeRef): void {
    if (this.#isTouched(node.from, node.to)) return
    const isDone = /x/i.test(this.#state.sliceDoc(node.from, node.to))
    const { from } = this.#state.doc.lineAt(node.from)
    this.ranges.push(Decoration.replace({ widget: new TaskBox(isDone) }).range(node.from, node.to))
    if (isDone) this.ranges.push(Decoration.line({ class: 'md-done' }).range(from))
  }
}
