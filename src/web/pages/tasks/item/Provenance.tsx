import { useState } from 'react'
import { t } from '../../../texts/index.ts'
import { formatMoment } from '../../../ui/times.tsx'
import { Popup } from '../../../ui/work/Popup.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { canPutBack, putBack } from './put-back.ts'
import styles from './item.module.css'
import { shownValue, whoOf } from './words.ts'
import type { Change } from './useTask.ts'

interface ProvenanceProps {
  change: Change
  /** The names that the value has in the history. */
  fields: readonly string[]
  taskId: string
}

/** Who set a value: a face beside it, always there for assistants, that opens when, how, what stood there before, and the way back. */
export function Provenance({ change, fields, taskId }: ProvenanceProps) {
  const [anchor, setAnchor] = useState<Element>()
  const who = whoOf(change)
  const set = change.changes.find(({ field }) => fields.includes(field))
  if (!set) return null
  const close = () => setAnchor(undefined)
  return (
    <>
      <button
        type="button"
        className={styles.provenance}
        data-kind={who.kind}
        aria-label={t.tasks.setBy(who.name)}
        title={t.tasks.setBy(who.name)}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Face id={change.actor.id} name={who.name} kind={who.kind} size={16} />
      </button>
      {anchor && (
        <Popup anchor={anchor} close={close} label={t.tasks.setBy(who.name)}>
          <div className={styles.card}>
            <span className={styles.who}>
              <Face id={change.actor.id} name={who.name} kind={who.kind} size={20} />
              <strong dir="auto">{who.name}</strong>
            </span>
            {who.owner !== undefined && <span>{t.tasks.keyOf(who.owner)}</span>}
            <span>
              {formatMoment(change.at)} · {t.tasks.via[change.via]}
            </span>
            <span>{t.tasks.before(shownValue(set.field, set.from))}</span>
            {canPutBack(change, fields) && (
              <button
                type="button"
                className={styles.action}
                onClick={() => {
                  close()
                  void putBack(taskId, change, fields)
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
