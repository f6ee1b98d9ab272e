import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { knowledgeTexts } from '../../../../texts/en/company/knowledge.ts'
import { t } from '../../../../texts/index.ts'
import { RouterLink } from '../../../../ui/AppLink.tsx'
import { itemPathOf } from '../../../../ui/kinds.ts'
import { useRowKeys } from '../../../../ui/work/row-keys.ts'
import planning from '../../../planning/planning.module.css'
import styles from './graph.module.css'
import {
  isDirection,
  layOut,
  lineBetween,
  nearestInDirection,
  widthOf,
  type Layout,
} from './layout.ts'
import { otherEnd, type GraphEdge, type GraphNode, type Neighborhood } from './neighborhood.ts'

const { graph: words } = knowledgeTexts

/** Describes an edge as a sentence, such as “Harbor uses Kestrel”. */
const sentence = ({ from, type, to }: GraphEdge) =>
  `${from.title} ${t.items.word(type).toLowerCase()} ${to.title}`

/** Number of relations of the focused entity listed below the graph. */
const maxAnnounced = 6

/**
 * A picture of the entities around one: each is a link; arrow keys follow the relations, and those of the focused
 * entity are labeled.
 */
export function Graph({ neighborhood }: { neighborhood: Neighborhood }) {
  const [center] = neighborhood.nodes
  const [focusedId, setFocusedId] = useState(center?.id)
  const box = useRef<HTMLElement>(null)
  const layout = useMemo(() => layOut(neighborhood), [neighborhood])
  useRowKeys(box)
  useCenterScroll(box, layout, center?.id)
  const focusedNode = neighborhood.nodes.find(({ id }) => id === focusedId) ?? center
  if (!focusedNode) return null
  const edges = neighborhood.edges.filter((edge) => otherEnd(edge, focusedNode.id) !== undefined)
  const sentences = edges.slice(0, maxAnnounced).map(sentence)
  return (
    <>
      <section
        ref={box}
        aria-label={words.label(center?.title ?? '')}
        className={styles.box}
        onKeyDown={(event) => moveInGraph(event, { box, layout, edges, id: focusedNode.id })}
      >
        <div className={styles.plane} style={{ width: layout.width, height: layout.height }}>
          <Lines neighborhood={neighborhood} layout={layout} highlighted={edges} />
          {neighborhood.nodes.map((node) => (
            <Node
              key={node.id}
              node={node}
              position={layout.positions.get(node.id)}
              isFocused={node === focusedNode}
              onFocus={() => setFocusedId(node.id)}
            />
          ))}
        </div>
      </section>
      <p className={planning.quiet} role="status" dir="auto">
        {sentences.join(' · ')}
        {edges.length > sentences.length && ` · ${words.more(edges.length - sentences.length)}`}
      </p>
    </>
  )
}

interface GraphMove {
  box: RefObject<HTMLElement | null>
  layout: Layout
  /** The relations of the focused entity. */
  edges: readonly GraphEdge[]
  id: string
}

function moveInGraph(event: KeyboardEvent, { box, layout, edges, id }: GraphMove): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  const from = layout.positions.get(id)
  if (!isDirection(key) || !from || altKey || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  const neighbors = edges.flatMap((edge) => {
    const end = otherEnd(edge, id)
    const at = end && layout.positions.get(end.id)
    return end && at ? [{ id: end.id, at }] : []
  })
  const nextId = nearestInDirection(key, from, neighbors)
  if (nextId !== undefined)
    box.current?.querySelector<HTMLElement>(`[data-node="${nextId}"]`)?.focus()
}

/** Centers a picture that is larger than its container. */
function useCenterScroll(
  box: RefObject<HTMLElement | null>,
  { positions }: Layout,
  center: string | undefined,
): void {
  useEffect(() => {
    const centerPoint = center === undefined ? undefined : positions.get(center)
    if (!box.current || !centerPoint) return
    box.current.scrollLeft = centerPoint.x - box.current.clientWidth / 2
    box.current.scrollTop = centerPoint.y - box.current.clientHeight / 2
  }, [box, positions, center])
}

interface NodeProps {
  node: GraphNode
  position: { x: number; y: number } | undefined
  isFocused: boolean
  onFocus: () => void
}

function Node({ node: { id, title, type, depth }, position, isFocused, onFocus }: NodeProps) {
  if (!position) return null
  return (
    <RouterLink
      to={itemPathOf(id) ?? `/knowledge/${id}`}
      className={styles.node}
      style={{ left: position.x, top: position.y, width: widthOf(title) }}
      title={type === undefined ? title : words.named(title, t.items.word(type))}
      aria-current={depth === 0 ? 'page' : undefined}
      tabIndex={isFocused ? 0 : -1}
      dir="auto"
      data-row
      data-node={id}
      data-depth={depth}
      onFocus={onFocus}
    >
      {title}
    </RouterLink>
  )
}

/** Maximum number of labeled relations: more labels would overlap. */
const maxLabels = 12

interface LinesProps {
  neighborhood: Neighborhood
  layout: Layout
  /** The labeled relations. */
  highlighted: readonly GraphEdge[]
}

function Lines({ neighborhood, layout, highlighted }: LinesProps) {
  const arrowId = useId()
  const lines = neighborhood.edges.flatMap((edge) => {
    const line = lineBetween(edge, layout)
    return line ? [{ edge, line, isLit: highlighted.includes(edge) }] : []
  })
  const sortedLines = lines.toSorted((a, b) => Number(a.isLit) - Number(b.isLit))
  return (
    <svg width={layout.width} height={layout.height} className={styles.lines} aria-hidden>
      <defs>
        <marker
          id={arrowId}
          viewBox="0 0 8 8"
          refX={7}
          refY={4}
          markerWidth={7}
          markerHeight={7}
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" fill="context-stroke" />
        </marker>
      </defs>
      {sortedLines.map(({ edge, line: { start, end }, isLit }) => (
        <line
          key={edge.id}
          x1={start.x}
          y1={start.y}
          x2={end.x}
          y2={end.y}
          data-lit={isLit || undefined}
          markerEnd={`url(#${arrowId})`}
        />
      ))}
      {lines.map(
        ({ edge, line: { start, end }, isLit }) =>
          isLit &&
          highlighted.length <= maxLabels && (
            <text key={edge.id} x={(start.x + end.x) / 2} y={(start.y + end.y) / 2 + 4}>
              {t.items.word(edge.type).toLowerCase()}
            </text>
          ),
      )}
    </svg>
  )
}
