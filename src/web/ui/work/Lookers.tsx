import { VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'
import { useLookers } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { Face } from './Who.tsx'
import styles from './who.module.css'

const maxFaces = 5
const words = t.items.presence

/** The faces of other people viewing an item; arrivals are announced politely. */
export function Lookers({ itemId }: { itemId: string }) {
  const { people, more } = useLookers(itemId)
  const newcomers = useNewcomers(people.map(({ person }) => person))
  const left = people.length - maxFaces + more
  return (
    <>
      {people.length > 0 && (
        <ul className={styles.lookers} aria-label={words.label}>
          {people.slice(0, maxFaces).map(({ person, typing }) => (
            <li key={person.id} data-typing={typing || undefined}>
              <Face
                id={person.id}
                name={person.title}
                size={22}
                label={typing ? words.isTyping(person.title) : words.isHere(person.title)}
              />
            </li>
          ))}
          {left > 0 && (
            <li className={styles.more} aria-label={words.more(left)}>
              +{left}
            </li>
          )}
        </ul>
      )}
      <VisuallyHidden role="status">
        {newcomers.length > 0 && words.areHere(newcomers)}
      </VisuallyHidden>
    </>
  )
}

/** People typing at an item; the line is always reserved, so that the text does not jump. */
export function TypingLine({ itemId }: { itemId: string }) {
  const { people } = useLookers(itemId)
  const names = people.filter(({ typing }) => typing).map(({ person }) => person.title)
  return (
    <div role="status" className={styles.typing}>
      {names.length > 0 && words.areTyping(names)}
    </div>
  )
}

/** People who arrived since the list last grew. */
function useNewcomers(people: readonly { id: string; title: string }[]): readonly string[] {
  const before = useRef<ReadonlySet<string>>(new Set())
  const names = useRef<readonly string[]>([])
  const ids = new Set(people.map(({ id }) => id))
  const fresh = people.filter(({ id }) => !before.current.has(id))
  if (fresh.length > 0) names.current = fresh.map(({ title }) => title)
  else if (people.length === 0) names.current = []
  before.current = ids
  return names.current
}
