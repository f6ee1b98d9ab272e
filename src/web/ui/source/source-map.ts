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
  range: readonly [from: number, to: number] = [0, source.length],
): void {
  let [from, to] = range
  node.children = node.children?.flatMap((child) => {
    const { start, end } = child.position ?? {}
    const childRange = [start?.offset ?? from, end?.offset ?? to] as const
    if (child.type !== 'text') {
      mapSource(child, source, passages, childRange)
      if (end?.offset !== undefined) from = end.offset
      return [child]
    }
    const value = child.value ?? ''
    const index = source.slice(childRange[0], childRange[1]).indexOf(value)
    if (value.trim() === '') return [child]
    from = index === -1 ? childRange[1] : childRange[0] + index + value.length
    to = Math.max(from, to)
    return index === -1
      ? [span(value, childRange[0], childRange[1])]
      : splitSpans(value, childRange[0] + index, passages)
  })
}

/** Splits literal source text into spans at links and passages. */
function splitSpans(value: string, offset: number, passages: readonly Passage[]): HtmlNode[] {
  const overlapping = passages.filter(
    ({ start, end }) => start < offset + value.length && end > offset,
  )
  const nodes: HtmlNode[] = []
  let from = offset
  for (const part of value.split(wikiLink)) {
    const to = from + part.length
    const cuts = wikiLink.test(part) ? [] : overlapping.flatMap(({ start, end }) => [start, end])
    const innerCuts = cuts.filter((cut) => cut > from && cut < to)
    const edges = [...new Set([from, ...innerCuts, to])].sort((a, b) => a - b)
    for (const [index, end] of edges.slice(1).entries()) {
      const start = edges[index] ?? from
      const node = span(value.slice(start - offset, end - offset), start, end)
      const passage = overlapping.find(
        (candidate) => candidate.start < end && candidate.end > start,
      )
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
  const [firstSpan, lastSpan] = [spans[0], spans.at(-1)]
  if (!firstSpan || !lastSpan) return undefined
  const start =
    sourcePositionOf(firstSpan, range.startContainer, range.startOffset) ??
    Number(firstSpan.dataset.from)
  const end =
    sourcePositionOf(lastSpan, range.endContainer, range.endOffset) ?? Number(lastSpan.dataset.to)
  const quote = source.slice(start, end)
  const leadingSpace = quote.length - quote.trimStart().length
  const trimmed = quote.trim()
  return trimmed === ''
    ? undefined
    : { start: start + leadingSpace, end: start + leadingSpace + trimmed.length }
}

/**
 * Source position of an end of a selection; undefined if it is outside the span, or the span's text differs from the
 * source.
 */
function sourcePositionOf(node: HTMLElement, container: Node, offset: number): number | undefined {
  const from = Number(node.dataset.from)
  const isSame = node.textContent.length === Number(node.dataset.to) - from
  if (!node.contains(container) || !isSame) return undefined
  const prefixRange = document.createRange()
  prefixRange.setStart(node, 0)
  prefixRange.setEnd(container, offset)
  return from + prefixRange.toString().length
}
