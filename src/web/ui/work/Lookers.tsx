import { VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'
import { useItemViewers } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { Face } from './Who.tsx'
import styles from './who.module.css'

const maxFaces = 5
const texts = t.items.presence

/** The faces of other people viewing an item; arrivals are announced politely. */
export function ItemViewers({ itemId }: { itemId: string }) {
  const { people, more } = useItemViewers(itemId)
  const newcomers = useNewcomers(people.map(({ person }) => person))
  const hiddenCount = people.length - maxFaces + more
  return (
    <>
      {people.length > 0 && (
        <ul className={styles.lookers} aria-label={texts.label}>
          {people.slice(0, maxFaces).map(({ person, typing }) => (
            <li key={person.id} data-typing={typing || undefined}>
              <Face
                id={person.id}
                name={person.title}
                size={22}
                label={typing ? texts.isTyping(person.title) : texts.isHere(person.title)}
              />
            </li>
          ))}
          {hiddenCount > 0 && (
            <li className={styles.more} aria-label={texts.more(hiddenCount)}>
              +{hiddenCount}
            </li>
          )}
        </ul>
      )}
      <VisuallyHidden role="status">
        {newcomers.length > 0 && texts.areHere(newcomers)}
      </VisuallyHidden>
    </>
  )
}

/** People typing at an item; the line is always reserved, so that the text does not jump. */
export function TypingLine({ itemId }: { itemId: string }) {
  const { people } = useItemViewers(itemId)
  const names = people.filter(({ typing }) => typing).map(({ person }) => person.title)
  return (
    <div role="status" className={styles.typing}>
      {names.length > 0 && texts.areTyping(names)}
    </div>
  )
}

/** People who arrived since the list last grew. */
function useNewcomers(people: readonly { id: string; title: string }[]): readonly string[] {
  const previousIds = useRef<ReadonlySet<string>>(new Set())
  const names = useRef<readonly string[]>([])
  const ids = new Set(people.map(({ id }) => id))
  const newcomers = people.filter(({ id }) => !previousIds.current.has(id))
  if (newcomers.length > 0) names.current = newcomers.map(({ title }) => title)
  else if (people.length === 0) names.current = []
  previousIds.current = ids
  return names.current
}
