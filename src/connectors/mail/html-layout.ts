import { type HtmlNode, attribute, element, someNode, htmlTextNode, textIn } from './hast.ts'

const blockTags = new Set([
  'p',
  'div',
  'table',
  'ul',
  'ol',
  'dl',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'hr',
  'center',
  'section',
  'article',
  'header',
  'footer',
])

/** Simplifies the tree for Markdown: layout tables are dissolved, pictures become their alternative texts. */
export function simplify(node: HtmlNode): HtmlNode {
  if (node.type !== 'element' && node.type !== 'root') return node
  if (node.tagName === 'img') return htmlTextNode(altTextOf(node))
  if (node.tagName === 'table' && !isDataTable(node))
    return element(
      'div',
      tableRowsOf(node).flatMap((row) => blocksOfRow(row)),
    )
  if (node.tagName === 'table')
    return withHeaderRow(element('table', (node.children ?? []).map(simplify)))
  if (node.tagName === 'a') return simplifyLink(node)
  if (node.tagName === 'font' || node.tagName === 'center' || node.tagName === 'form')
    return element(node.tagName === 'center' ? 'div' : 'span', (node.children ?? []).map(simplify))
  return { ...node, children: (node.children ?? []).map(simplify) }
}

/** Replaces a link by its text if both are the same or it has no destination. */
function simplifyLink(node: HtmlNode): HtmlNode {
  const children = (node.children ?? []).map(simplify)
  const href = attribute(node, 'href')
  const words = textIn({ type: 'root', children }).trim()
  if (
    words === '' &&
    !children.some((child) => someNode(child, (htmlNode) => blockTags.has(htmlNode.tagName ?? '')))
  )
    return htmlTextNode('')
  const hasDestination = /^(https?:|mailto:|tel:)/i.test(href) && href.length <= 2_000
  if (
    !hasDestination ||
    children.some((child) => someNode(child, (htmlNode) => blockTags.has(htmlNode.tagName ?? '')))
  )
    return element('span', hasDestination ? [...children, htmlTextNode(` (${href}) `)] : children)
  return { ...node, properties: { href }, children }
}

function altTextOf(node: HtmlNode): string {
  const words = attribute(node, 'alt').replaceAll(/\s+/g, ' ').trim()
  return words === '' || /\.(png|jpe?g|gif|bmp|svg|webp)$/i.test(words) ? '' : words.slice(0, 300)
}

/** Markdown tables need a header: the first row if none is marked. */
function withHeaderRow(table: HtmlNode): HtmlNode {
  if (!someNode(table, (htmlNode) => htmlNode.tagName === 'th'))
    for (const cell of cellsOf(tableRowsOf(table).find((row) => cellsOf(row).length > 0)!))
      cell.tagName = 'th'
  return table
}

function tableRowsOf(table: HtmlNode): HtmlNode[] {
  return (table.children ?? []).flatMap((child) => rowsAt(child))
}

/** The rows in a child of a table; a caption becomes a row. */
function rowsAt(child: HtmlNode): HtmlNode[] {
  if (child.tagName === 'tr') return [child]
  if (/^(thead|tbody|tfoot)$/.test(child.tagName ?? '')) return tableRowsOf(child)
  return child.tagName === 'caption' ? [element('tr', [element('td', child.children ?? [])])] : []
}

function cellsOf(row: HtmlNode): HtmlNode[] {
  return (row.children ?? []).filter((child) => child.tagName === 'td' || child.tagName === 'th')
}

/** Places the cells of a row below each other, or side by side if each has only a few words. */
function blocksOfRow(row: HtmlNode): HtmlNode[] {
  const cells = cellsOf(row).map((cell) => ({
    ...cell,
    children: (cell.children ?? []).map(simplify),
  }))
  const isShort = cells.every(
    (cell) =>
      textIn(cell).trim().length <= 80 &&
      !cell.children.some((child) =>
        someNode(
          child,
          (htmlNode) =>
            blockTags.has(htmlNode.tagName ?? '') &&
            htmlNode.tagName !== 'p' &&
            htmlNode.tagName !== 'div',
        ),
      ),
  )
  if (cells.length > 1 && isShort) {
    const filled = cells.filter((cell) => textIn(cell).trim() !== '')
    return [
      element(
        'p',
        filled.flatMap((cell, i) => [
          ...(i > 0 ? [htmlTextNode(' ')] : []),
          ...cell.children.flatMap((child) =>
            child.tagName === 'p' || child.tagName === 'div'
              ? [htmlTextNode(' '), ...(child.children ?? [])]
              : [child],
          ),
        ]),
      ),
    ]
  }
  return cells.map((cell) => element('div', cell.children))
}

/** Whether a table holds data: rows and columns of short texts, and no tables inside. */
function isDataTable(table: HtmlNode): boolean {
  if (
    attribute(table, 'role') === 'presentation' ||
    (table.children ?? []).some((child) =>
      someNode(child, (htmlNode) => htmlNode.tagName === 'table'),
    )
  )
    return false
  const rows = tableRowsOf(table)
    .map(cellsOf)
    .filter((cells) => cells.length > 0)
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  if (rows.length < 2 || columns < 2 || columns > 40) return false
  if (rows.flat().some((cell) => cell.tagName === 'th')) return true
  const isRegular = rows.filter((cells) => cells.length === columns).length >= rows.length * 0.7
  const texts = rows.flat().map((cell) => textIn(cell).trim())
  return (
    isRegular &&
    texts.every((text) => text.length <= 300) &&
    texts.filter((text) => text !== '').length >= texts.length * 0.6
  )
}
