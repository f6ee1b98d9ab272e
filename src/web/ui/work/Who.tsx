import type { CSSProperties } from 'react'
import styles from './who.module.css'

type WhoKind = 'person' | 'assistant' | 'automation'

interface FaceProps {
  id: string
  name: string
  kind?: WhoKind
  size?: number
  /** Omitted if the name is shown beside it: the face then has no label of its own. */
  label?: string | undefined
}

/** True if something was created with a key, as by assistants. */
export const isByAssistant = (createdVia: string | undefined) =>
  createdVia === 'mcp' || createdVia === 'api'

/**
 * Initials in a shape for the kind of author: round for people, a rounded square for assistants, a hexagon for
 * automations.
 */
export function Face({ id, name, kind = 'person', size = 20, label }: FaceProps) {
  return (
    <span
      className={styles.face}
      data-kind={kind}
      data-initials={initialsOf(name, size < 20 ? 1 : 2)}
      style={{ '--face-size': `${size}px`, '--face-hue': hueOf(id) } as CSSProperties}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      title={label}
    />
  )
}

function initialsOf(name: string, count: number): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .slice(0, count)
  return letters.join('').toUpperCase()
}

/** A person has the same colour everywhere; similar ids get very different colours. */
function hueOf(id: string): number {
  let hash = 0x811c9dc5
  for (const letter of id) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return (hash >>> 0) % 360
}
