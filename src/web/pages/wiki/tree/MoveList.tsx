import { wiki } from '../../../texts/en/wiki.ts'
import { Picker } from '../../../ui/work/Picker.tsx'
import { isInSubtree } from './lines.ts'
import { movePage } from './moves.ts'
import { allNodes, nodeWith, ancestorsOf, type PageNode } from './nodes.ts'
import { usePageTree } from './reading.ts'
import { filterByTitle } from './titles.ts'

interface MoveListProps {
  node: PageNode
  roots: readonly PageNode[]
  anchor: Element
  close: () => void
}

const maxChoices = 50

/** The possible parents of a page, to choose from. */
export function MoveList({ node, roots, anchor, close }: MoveListProps) {
  const pages = [...allNodes(roots)].filter((other) => !isInSubtree(other, node))
  const top = { value: undefined, label: wiki.tree.top }
  const choices = (query: string) => [
    ...(query === '' ? [top] : []),
    ...filterByTitle(pages, query)
      .slice(0, maxChoices)
      .map((other) => ({
        value: other,
        label: other.title,
        hint: ancestorsOf(other).at(-1)?.title,
        isChosen: other.id === node.parent?.id,
      })),
  ]
  const choose = (parent: PageNode | undefined) => {
    const siblings = parent?.children ?? roots
    void movePage(node, { parent, after: siblings.findLast((other) => other.id !== node.id) })
  }
  return (
    <Picker<PageNode | undefined>
      anchor={anchor}
      label={wiki.tree.moveTo(node.title)}
      choices={choices}
      choose={choose}
      close={close}
    />
  )
}

interface MovePageProps {
  pageId: string
  anchor: Element | null
  close: () => void
}

/** Moves a page from its own screen. */
export function MovePage({ pageId, anchor, close }: MovePageProps) {
  const { data: roots } = usePageTree()
  const node = roots && nodeWith(pageId, roots)
  if (!roots || !node || !anchor) return null
  return <MoveList node={node} roots={roots} anchor={anchor} close={close} />
}
