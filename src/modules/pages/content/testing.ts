import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { pageOutline } from './outline.ts'

interface Node {
  type: string
  depth?: number
  value?: string
  alt?: string
  children?: Node[]
  position?: { start: { offset?: number; line: number } }
}

const remark = unified().use(remarkParse).use(remarkGfm)

/** Top-level headings found by remark: level, heading, line. */
export function remarkHeadings(text: string): [number, string, number][] {
  const plain = (node: Node): string =>
    node.type === 'html' || node.type === 'footnoteReference'
      ? ''
      : (node.value ??
        node.alt ??
        (node.type === 'break' ? ' ' : (node.children ?? []).map(plain).join('')))
  const tree = remark.parse(text) as Node
  return tree
    .children!.filter((node) => node.type === 'heading')
    .map((node) => [
      node.depth!,
      plain(node).replaceAll(/\s+/g, ' ').trim(),
      node.position!.start.line,
    ])
}

/** Headings found by our own outline. */
export const outlineHeadings = (text: string) =>
  pageOutline(text).map(({ level, heading, line }) => [level, heading, line])
