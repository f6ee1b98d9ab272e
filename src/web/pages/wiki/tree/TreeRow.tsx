import { IconChevronRight, IconFileText } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { RouterLink } from '../../../ui/AppLink.tsx'
import type { Drag } from './drag.ts'
import type { TreeLine } from './lines.ts'
import styles from './tree.module.css'

interface TreeRowProps {
  line: TreeLine
  /** True if this page is the tab stop. */
  isStop: boolean
  /** True if this is the current page. */
  isCurrentPage: boolean
  /** Undefined if it has no subpages. */
  isOpen: boolean | undefined
  toggle: () => void
  onFocus: () => void
  /** Undefined if pages cannot be dragged. */
  drag: Drag | undefined
}

/** A page of the tree. */
export function TreeRow({
  line,
  isStop,
  isCurrentPage,
  isOpen,
  toggle,
  onFocus,
  drag,
}: TreeRowProps) {
  const { node, level, size, position } = line
  return (
    <RouterLink
      to={`/pages/${node.id}`}
      role="treeitem"
      aria-level={level}
      aria-setsize={size}
      aria-posinset={position}
      aria-expanded={isOpen}
      aria-selected={isStop}
      aria-current={isCurrentPage ? 'page' : undefined}
      tabIndex={isStop ? 0 : -1}
      className={styles.line}
      style={{ '--level': Math.min(level, 12) } as CSSProperties}
      title={node.title}
      data-page={node.id}
      data-drop={drag?.edgeAt(node)}
      draggable={drag !== undefined}
      onFocus={onFocus}
      onDragStart={(event) => drag?.start(event, node)}
      onDragOver={(event) => drag?.over(event, node)}
      onDragLeave={drag?.leave}
      onDragEnd={drag?.end}
      onDrop={(event) => drag?.drop(event, node)}
    >
      <span
        className={styles.fold}
        data-open={isOpen || undefined}
        aria-hidden
        onClick={(event) => {
          if (isOpen === undefined) return
          event.preventDefault() // the page is not opened
          toggle()
        }}
      >
        {isOpen !== undefined && <IconChevronRight size={14} />}
      </span>
      <span className={styles.icon} aria-hidden>
        {node.icon ?? <IconFileText size={15} stroke={1.6} />}
      </span>
      <span className={styles.title} dir="auto">
        {node.title}
      </span>
    </RouterLink>
  )
}
