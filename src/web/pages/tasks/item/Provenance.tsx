import { useState } from 'react'
import { t } from '../../../texts/index.ts'
import { formatMoment } from '../../../ui/times.tsx'
import { Popup } from '../../../ui/work/Popup.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { canRevert, revertChange } from './put-back.ts'
import styles from './item.module.css'
import { valueText, authorOf } from './words.ts'
import type { FieldChange } from './useTask.ts'

interface ProvenanceProps {
  /** The last change that set the value; several entries if it set more than one of its fields. */
  changes: readonly FieldChange[]
  taskId: string
}

/**
 * Author of a value: a face beside it, always visible for assistants, that opens the time, origin, previous value and
 * undo.
 */
export function Provenance({ changes, taskId }: ProvenanceProps) {
  const [anchor, setAnchor] = useState<Element>()
  const [change] = changes
  if (!change) return null
  const author = authorOf(change)
  const close = () => setAnchor(undefined)
  return (
    <>
      <button
        type="button"
        className={styles.provenance}
        data-kind={author.kind}
        aria-label={t.tasks.setBy(author.name)}
        title={t.tasks.setBy(author.name)}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Face id={change.actor.id} name={author.name} kind={author.kind} size={16} />
      </button>
      {anchor && (
        <Popup anchor={anchor} close={close} label={t.tasks.setBy(author.name)}>
          <div className={styles.card}>
            <span className={styles.who}>
              <Face id={change.actor.id} name={author.name} kind={author.kind} size={20} />
              <strong dir="auto">{author.name}</strong>
            </span>
            {author.owner !== undefined && <span>{t.tasks.keyOf(author.owner)}</span>}
            <span>
              {formatMoment(change.at)} · {t.tasks.via[change.via]}
            </span>
            <span>{t.tasks.before(valueText(change.field, change.from))}</span>
            {canRevert(changes) && (
              <button
                type="button"
                className={styles.action}
                onClick={() => {
                  close()
                  void revertChange(taskId, changes)
                }}
              >
                {t.tasks.putBack}
              </button>
            )}
          </div>
        </Popup>
      )}
    </>
  )
}
