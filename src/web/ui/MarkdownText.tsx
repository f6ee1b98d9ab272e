import { Anchor, Table } from '@mantine/core'
import Slugger from 'github-slugger'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { t } from '../texts/index.ts'
import { AppLink, workspacePath } from './AppLink.tsx'
import { FileImage, driveFileIdOf } from './FileImage.tsx'
import { elementsIn, nodeText, type HtmlNode } from './source/html-tree.ts'
import { mapSource, type Passage } from './source/source-map.ts'

type Node = HtmlNode

/** Only for Markdown.tsx, which loads it on demand. */
export function MarkdownText({
  text,
  parentLevel = 1,
  hasAnchors = false,
  passages,
  split,
}: {
  text: string
  parentLevel?: number
  hasAnchors?: boolean
  passages?: readonly Passage[] | undefined
  split?: ((text: string) => HtmlNode[]) | undefined
}) {
  return (
    <div className="markdown" dir="auto">
      <ReactMarkdown
        skipHtml
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[
          () => (tree) => {
            if (passages) mapSource(tree as Node, text, passages)
            linkWikiNames(tree as Node, split)
            nestHeadings(tree as Node, parentLevel, hasAnchors)
          },
        ]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}

/** Nests headings below the one above, without skipping levels. */
function nestHeadings(tree: Node, parentLevel: number, hasAnchors: boolean): void {
  const slugger = new Slugger()
  let previousLevel = parentLevel
  for (const node of elementsIn(tree)) {
    if (!/^h[1-6]$/.test(node.tagName!)) continue
    if (hasAnchors)
      node.properties = {
        ...node.properties,
        id: slugger.slug(nodeText(node).replaceAll(/\s+/g, ' ').trim()),
      }
    node.tagName = `h${(previousLevel = Math.min(Number(node.tagName![1]) + parentLevel, previousLevel + 1, 6))}`
  }
}

/**
 * Turns `[[Title]]` and `[[page#heading|words]]` into links to the page, or to a search for the title. `split`
 * handles the text between them.
 */
function linkWikiNames(node: Node, split: (text: string) => Node[] = textNode): void {
  if (node.tagName === 'code' || node.tagName === 'a') return
  if (!node.children) return
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text') return linkWikiNames(child, split), child
    return child
      .value!.split(/(\[\[[^\][]{1,500}\]\])/)
      .filter((part) => part !== '')
      .flatMap((part) =>
        part.startsWith('[[') && part.endsWith(']]') ? wikiLink(part.slice(2, -2)) : split(part),
      )
  })
}

const textNode = (value: string): Node[] => [{ type: 'text', value }]

function wikiLink(text: string): Node {
  const [target, label] = text.split('|', 2) as [string, string | undefined]
  const href = /^pag_[0-9a-z]{26}(#|$)/.test(target)
    ? `/pages/${target}`
    : `/search?q=${encodeURIComponent(target.replace(/#.*/, ''))}&kinds=page`
  return {
    type: 'element',
    tagName: 'a',
    properties: { href },
    children: [{ type: 'text', value: label ?? target }],
  }
}

const components: Components = {
  a({ href = '', children, id }) {
    if (href === '') return <span>{children}</span> // an unsafe target was removed
    const to = workspacePath(href)
    // Backlinks of footnotes and headings stay within this page.
    if (href.startsWith('#'))
      return (
        <Anchor href={href} id={id} inherit>
          {children}
        </Anchor>
      )
    if (to !== undefined)
      return (
        <AppLink to={to} inherit>
          {children}
        </AppLink>
      )
    return (
      <Anchor
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        inherit
        underline="always"
      >
        {children}
      </Anchor>
    )
  },
  img({ src = '', alt = '' }) {
    const fileId = typeof src === 'string' ? driveFileIdOf(src) : undefined
    if (fileId !== undefined) return <FileImage id={fileId} alt={alt} />
    if (typeof src !== 'string' || src === '') return <span>{alt}</span>
    return (
      <Anchor href={src} target="_blank" rel="noopener noreferrer nofollow" inherit>
        {t.items.image(alt)}
      </Anchor>
    )
  },
  input({ checked }) {
    return (
      <span role="img" aria-label={checked ? t.items.done : t.items.toDo}>
        {checked ? '☑' : '☐'}{' '}
      </span>
    )
  },
  table({ children }) {
    return (
      <Table.ScrollContainer
        minWidth={320}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={t.items.table}
      >
        <table>{children}</table>
      </Table.ScrollContainer>
    )
  },
  pre({ children }) {
    return (
      <pre className="code" tabIndex={0} role="region" aria-label={t.items.code}>
        {children}
      </pre>
    )
  },
}
