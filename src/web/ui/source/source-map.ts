// Maps rendered Markdown to positions in its source: spans carry them, and passages are marked.

import type { HtmlNode } from './html-tree.ts'

/** A highlighted passage; `id` is that of its owner. */
export interface Passage {
  id: string
  start: number
  end: number
}

const wikiLink = /(\[\[[^\][]{1,500}\]\])/

/** Wraps text nodes of a tree in spans with their source positions, and passages in marks. */
export function mapSource(
  node: HtmlNode,
  source: string,
  passages: readonly Passage[],
  within: readonly [from: number, to: number] = [0, source.length],
): void {
  let [from, to] = within
  node.children = node.children?.flatMap((child) => {
    const { start, end } = child.position ?? {}
    const place = [start?.offset ?? from, end?.offset ?? to] as const
    if (child.type !== 'text') {
      mapSource(child, source, passages, place)
      if (end?.offset !== undefined) from = end.offset
      return [child]
    }
    const value = child.value ?? ''
    const at = source.slice(place[0], place[1]).indexOf(value)
    if (value.trim() === '') return [child]
    from = at === -1 ? place[1] : place[0] + at + value.length
    to = Math.max(from, to)
    return at === -1 ? [span(value, place[0], place[1])] : pieces(value, place[0] + at, passages)
  })
}

/** Splits literal source text into spans at links and passages. */
function pieces(value: string, at: number, passages: readonly Passage[]): HtmlNode[] {
  const near = passages.filter(({ start, end }) => start < at + value.length && end > at)
  const nodes: HtmlNode[] = []
  let from = at
  for (const part of value.split(wikiLink)) {
    const to = from + part.length
    const cuts = wikiLink.test(part) ? [] : near.flatMap(({ start, end }) => [start, end])
    const inside = cuts.filter((cut) => cut > from && cut < to)
    const edges = [...new Set([from, ...inside, to])].sort((a, b) => a - b)
    for (const [n, end] of edges.slice(1).entries()) {
      const start = edges[n] ?? from
      const node = span(value.slice(start - at, end - at), start, end)
      const passage = near.find((item) => item.start < end && item.end > start)
      nodes.push(passage ? markPassage(node, passage.id) : node)
    }
    from = to
  }
  return nodes
}

function span(value: string, from: number, to: number): HtmlNode {
  return {
    type: 'element',
    tagName: 'span',
    properties: { dataFrom: from, dataTo: to },
    children: [{ type: 'text', value }],
  }
}

function markPassage(node: HtmlNode, id: string): HtmlNode {
  return { type: 'element', tagName: 'mark', properties: { dataPassage: id }, children: [node] }
}

/** Source range of the selected rendered text, without surrounding white space. */
export function selectedPassage(
  root: Element,
  source: string,
): { start: number; end: number } | undefined {
  const selection = window.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  if (!root.contains(range.commonAncestorContainer)) return undefined
  const spans = [...root.querySelectorAll<HTMLElement>('[data-from]')].filter((node) =>
    range.intersectsNode(node),
  )
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return undefined
  const start =
    sourcePositionOf(first, range.startContainer, range.startOffset) ?? Number(first.dataset.from)
  const end = sourcePositionOf(last, range.endContainer, range.endOffset) ?? Number(last.dataset.to)
  const quote = source.slice(start, end)
  const lead = quote.length - quote.trimStart().length
  const trimmed = quote.trim()
  return trimmed === '' ? undefined : { start: start + lead, end: start + lead + trimmed.length }
}

/**
 * Source position of an end of a selection; undefined if it is outside the span, or the span's text differs from the
 * source.
 */
function sourcePositionOf(node: HTMLElement, container: Node, offset: number): number | undefined {
  const from = Number(node.dataset.from)
  const isSame = node.textContent.length === Number(node.dataset.to) - from
  if (!node.contains(container) || !isSame) return undefined
  const before = document.createRange()
  before.setStart(node, 0)
  before.setEnd(container, offset)
  return from + before.toString().length
}
