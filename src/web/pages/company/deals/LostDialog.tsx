import { useState, type FormEvent } from 'react'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import planning from '../../planning/planning.module.css'
import { loseDeal, type DealRow } from './data.ts'

interface LostDialogProps {
  /** The lost deal; closed while there is none. */
  deal: DealRow | undefined
  close: () => void
}

/** Asks why a deal was lost, and marks it as lost. */
export function LostDialog({ deal, close }: LostDialogProps) {
  return (
    <Dialog isOpen={deal !== undefined} close={close} title={words.lost.title(deal?.name ?? '')}>
      {deal && <LostForm deal={deal} close={close} />}
    </Dialog>
  )
}

function LostForm({ deal, close }: { deal: DealRow; close: () => void }) {
  const [reason, setReason] = useState(deal.lost_reason ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void loseDeal(deal, reason.trim())
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {words.lost.reason}
        <input
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          required
          maxLength={2000}
          dir="auto"
        />
      </label>
      <button type="submit" className={planning.primary} disabled={reason.trim() === ''}>
        {words.lost.action}
      </button>
    </form>
  )
}
