// Extracts the headings of a text while it is edited.

import { EditorView } from '@codemirror/view'
import type { SyntaxNode, Tree } from '@lezer/common'
import { markdownLanguage } from './language.ts'

export interface TextHeading {
  /** Its text without Markdown syntax. */
  title: string
  /** 1 to 6. */
  level: number
  /** Start of its line. */
  from: number
}

/** Maximum parse time; in texts too long for it, only the headings at the beginning are found. */
const maxParseMs = 300

const hiddenNodes = new Set([
  'HeaderMark',
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'LinkMark',
  'LinkTitle',
  'WikiLinkMark',
])

/** The headings of a Markdown text, in order. */
export function headingsIn(text: string): TextHeading[] {
  const headings: TextHeading[] = []
  parseMarkdownTree(text).iterate({
    enter({ name, from, node }) {
      const level = /^(?:ATX|Setext)Heading([1-6])$/.exec(name)?.[1]
      if (level === undefined) return true
      const title = headingTitleOf(text, node)
      if (title !== '') headings.push({ title, level: Number(level), from })
      return false
    },
  })
  return headings
}

function parseMarkdownTree(text: string): Tree {
  const parse = markdownLanguage.parser.startParse(text)
  const deadline = performance.now() + maxParseMs
  for (let tree = parse.advance(); ; tree = parse.advance()) {
    if (tree) return tree
    if (parse.stoppedAt === null && performance.now() > deadline) parse.stopAt(parse.parsedPos)
  }
}

function headingTitleOf(text: string, heading: SyntaxNode): string {
  let title = ''
  let offset = heading.from
  heading.cursor().iterate(({ name, from, to, node }) => {
    const isAddress = name === 'URL' && node.parent?.name !== 'Autolink' && node.parent !== heading
    if (!hiddenNodes.has(name) && !isAddress) return true
    title += text.slice(offset, from)
    offset = to
    return false
  })
  return (title + text.slice(offset, heading.to)).replaceAll(/\s+/g, ' ').trim()
}

/** The headings in an editor, each with a function that goes there. */
export const headingsOf = (view: EditorView) =>
  headingsIn(view.state.doc.toString()).map(({ title, level, from }) => ({
    title,
    level,
    goTo() {
      const anchor = Math.min(from, view.state.doc.length) // others may have shortened the text meanwhile
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 80 }),
      })
      view.focus()
    },
  }))
