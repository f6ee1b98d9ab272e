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
import { isDirection, layOut, lineBetween, towards, widthOf, type Layout } from './layout.ts'
import { otherEnd, type GraphEdge, type GraphNode, type Neighborhood } from './neighborhood.ts'

const { graph: words } = knowledgeTexts

/** Describes an edge as a sentence, such as “Harbor uses Kestrel”. */
const sentence = ({ from, type, to }: GraphEdge) =>
  `${from.title} ${t.items.word(type).toLowerCase()} ${to.title}`

/** Number of relations of the focused entity listed below the graph. */
const maxAnnounced = 6

/**
 * A picture of the entities around one: each is a link; arrow keys follow the relations, and those of the focused
 * entity are labelled.
 */
export function Graph({ near }: { near: Neighborhood }) {
  const [center] = near.nodes
  const [at, setAt] = useState(center?.id)
  const box = useRef<HTMLElement>(null)
  const layout = useMemo(() => layOut(near), [near])
  useRowKeys(box)
  useCentered(box, layout, center?.id)
  const here = near.nodes.find(({ id }) => id === at) ?? center
  if (!here) return null
  const edges = near.edges.filter((edge) => otherEnd(edge, here.id) !== undefined)
  const sentences = edges.slice(0, maxAnnounced).map(sentence)
  return (
    <>
      <section
        ref={box}
        aria-label={words.label(center?.title ?? '')}
        className={styles.box}
        onKeyDown={(event) => moveInGraph(event, { box, layout, edges, id: here.id })}
      >
        <div className={styles.plane} style={{ width: layout.width, height: layout.height }}>
          <Lines near={near} layout={layout} lit={edges} />
          {near.nodes.map((node) => (
            <Node
              key={node.id}
              node={node}
              at={layout.at.get(node.id)}
              isHere={node === here}
              enter={() => setAt(node.id)}
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

interface Walk {
  box: RefObject<HTMLElement | null>
  layout: Layout
  /** The relations of the focused entity. */
  edges: readonly GraphEdge[]
  id: string
}

function moveInGraph(event: KeyboardEvent, { box, layout, edges, id }: Walk): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  const from = layout.at.get(id)
  if (!isDirection(key) || !from || altKey || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  const ends = edges.flatMap((edge) => {
    const end = otherEnd(edge, id)
    const at = end && layout.at.get(end.id)
    return end && at ? [{ id: end.id, at }] : []
  })
  const next = towards(key, from, ends)
  if (next !== undefined) box.current?.querySelector<HTMLElement>(`[data-node="${next}"]`)?.focus()
}

/** Centers a picture that is larger than its container. */
function useCentered(
  box: RefObject<HTMLElement | null>,
  { at }: Layout,
  center: string | undefined,
): void {
  useEffect(() => {
    const middle = center === undefined ? undefined : at.get(center)
    if (!box.current || !middle) return
    box.current.scrollLeft = middle.x - box.current.clientWidth / 2
    box.current.scrollTop = middle.y - box.current.clientHeight / 2
  }, [box, at, center])
}

interface NodeProps {
  node: GraphNode
  at: { x: number; y: number } | undefined
  isHere: boolean
  enter: () => void
}

function Node({ node: { id, title, type, depth }, at, isHere, enter }: NodeProps) {
  if (!at) return null
  return (
    <RouterLink
      to={itemPathOf(id) ?? `/knowledge/${id}`}
      className={styles.node}
      style={{ left: at.x, top: at.y, width: widthOf(title) }}
      title={type === undefined ? title : words.named(title, t.items.word(type))}
      aria-current={depth === 0 ? 'page' : undefined}
      tabIndex={isHere ? 0 : -1}
      dir="auto"
      data-row
      data-node={id}
      data-depth={depth}
      onFocus={enter}
    >
      {title}
    </RouterLink>
  )
}

/** Maximum labelled relations of an entity: more would overlap. */
const maxNamed = 12

interface LinesProps {
  near: Neighborhood
  layout: Layout
  /** The labelled relations. */
  lit: readonly GraphEdge[]
}

function Lines({ near, layout, lit }: LinesProps) {
  const arrow = useId()
  const lines = near.edges.flatMap((edge) => {
    const line = lineBetween(edge, layout)
    return line ? [{ edge, line, isLit: lit.includes(edge) }] : []
  })
  const later = lines.toSorted((a, b) => Number(a.isLit) - Number(b.isLit))
  return (
    <svg width={layout.width} height={layout.height} className={styles.lines} aria-hidden>
      <defs>
        <marker
          id={arrow}
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
      {later.map(({ edge, line: { start, end }, isLit }) => (
        <line
          key={edge.id}
          x1={start.x}
          y1={start.y}
          x2={end.x}
          y2={end.y}
          data-lit={isLit || undefined}
          markerEnd={`url(#${arrow})`}
        />
      ))}
      {lines.map(
        ({ edge, line: { start, end }, isLit }) =>
          isLit &&
          lit.length <= maxNamed && (
            <text key={edge.id} x={(start.x + end.x) / 2} y={(start.y + end.y) / 2 + 4}>
              {t.items.word(edge.type).toLowerCase()}
            </text>
          ),
      )}
    </svg>
  )
}
