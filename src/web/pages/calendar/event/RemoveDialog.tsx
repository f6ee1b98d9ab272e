import { useState } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { EventRow } from '../data/events.ts'
import { calendarTexts as t } from '../texts.ts'
import { removeEvent } from './actions.ts'
import styles from './event.module.css'
import { askScope } from './scope.ts'
import { eventTitleOf } from './words.ts'

interface RemoveDialogProps {
  row: EventRow
  close: () => void
}

/** Asks whether guests are notified of a cancellation. */
export function RemoveDialog({ row, close }: RemoveDialogProps) {
  const words = t.calendar.remove
  const [shouldNotify, setShouldNotify] = useState(true)
  const confirmRemoval = async () => {
    close()
    const scope = await askScope(row, { verb: 'delete' })
    if (scope !== undefined) await removeEvent(row, scope, shouldNotify)
  }
  return (
    <Dialog isOpen close={close} title={words.title(eventTitleOf(row))} className={styles.small}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={shouldNotify}
          onChange={(event) => setShouldNotify(event.currentTarget.checked)}
        />
        {words.notify}
      </label>
      <footer className={styles.foot}>
        <button type="button" className={styles.button} onClick={close}>
          {t.app.cancel}
        </button>
        <button
          type="button"
          className={styles.danger}
          data-autofocus
          onClick={() => void confirmRemoval()}
        >
          {words.action}
        </button>
      </footer>
    </Dialog>
  )
}

/** True if there are guests to notify, other than the organizer. */
export function hasGuests(row: EventRow): boolean {
  return row.attendees.length > 0 && row.my_response === undefined
}

/** Deletes an event without guests; z undoes it. */
export async function removeWithoutNotice(row: EventRow): Promise<void> {
  const scope = await askScope(row, { verb: 'delete' })
  if (scope !== undefined) await removeEvent(row, scope, false)
}
