import { useState } from 'react'
import { get } from '../../../../api/client.ts'
import { invalidateOperations } from '../../../../api/queries.ts'
import { automationTexts } from '../../../../texts/en/company/automations.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import type { ApiCall } from '../../../activity/calls/calls.ts'
import { UndoCalls } from '../../../activity/calls/UndoCalls.tsx'
import planning from '../../../planning/planning.module.css'

const words = automationTexts.undo
const maxCalls = 1000

interface UndoRunProps {
  run: { id: string; created_at: string }
}

/** Undoes the changes of a run, call by call or all at once. */
export function UndoRun({ run }: UndoRunProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    void invalidateOperations('get_automation_run')
  }
  return (
    <>
      <button type="button" className={planning.button} onClick={() => setOpen(true)}>
        {words.action}
      </button>
      <Dialog isOpen={isOpen} close={close} title={words.title}>
        <UndoCalls
          cacheKey={run.id}
          fetchCalls={(signal) => fetchUndoableCalls(run, signal)}
          emptyText={words.none}
          close={close}
        />
      </Dialog>
    </>
  )
}

/** The undoable calls of a run, latest first. */
async function fetchUndoableCalls(
  run: UndoRunProps['run'],
  signal: AbortSignal,
): Promise<ApiCall[]> {
  const calls: ApiCall[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await get(
      '/web/activity',
      {
        source: 'automation',
        status: 'ok',
        run_id: run.id,
        after: run.created_at,
        limit: 200,
        ...(cursor !== undefined && { cursor }),
      },
      signal,
    )
    calls.push(...page.items.filter(({ undo }) => undo === 'possible'))
    cursor = page.next_cursor
    if (cursor === undefined || calls.length >= maxCalls) return calls
  }
}
