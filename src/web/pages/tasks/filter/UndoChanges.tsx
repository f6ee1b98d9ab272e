import { useState } from 'react'
import { sinceOf } from '../../../../kernel/time/periods.ts'
import { get } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { isoDay } from '../../../ui/work/days.ts'
import type { ApiCall } from '../../activity/calls/calls.ts'
import { UndoCalls } from '../../activity/calls/UndoCalls.tsx'
import styles from '../tasks.module.css'
import { useFilterContext } from './reader.ts'

const texts = t.tasks.undoChanges
const maxCalls = 100

/** Undoes changes of tasks by the reader's assistants since then, call by call or all at once. */
export function UndoChanges({ since }: { since: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className={styles.button} data-plain onClick={() => setOpen(true)}>
        {texts.button}
      </button>
      <Dialog isOpen={isOpen} close={close} title={texts.title}>
        <Calls since={since} close={close} />
      </Dialog>
    </>
  )
}

/** The undoable calls that changed tasks, latest first, which is the order of undoing. */
async function readCalls(since: string, signal: AbortSignal): Promise<ApiCall[]> {
  const filter = { source: 'keys', status: 'ok', after: since, limit: maxCalls } as const
  const kinds = ['write', 'destructive'] as const
  const pages = await Promise.all(
    kinds.map((kind) => get('/web/activity', { ...filter, kind }, signal)),
  )
  return pages
    .flatMap((page) => page.items)
    .filter(({ undo, items }) => undo === 'possible' && items.some(({ type }) => type === 'task'))
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

function Calls({ since: period, close }: { since: string; close: () => void }) {
  const context = useFilterContext(false)
  const since = isoDay.test(period) ? period : new Date(sinceOf(period, context)).toISOString()
  return (
    <UndoCalls
      cacheKey={since}
      fetchCalls={(signal) => readCalls(since, signal)}
      emptyText={texts.none}
      close={close}
    />
  )
}
