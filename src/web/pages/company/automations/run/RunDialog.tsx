import { useState, type FormEvent } from 'react'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import planning from '../../../planning/planning.module.css'
import { runAutomation } from '../data.ts'
import type { AutomationRow } from '../plan/plan.ts'
import { parseItemRef } from './items.ts'

interface RunDialogProps {
  automation: AutomationRow
  close: () => void
}

/** Asks for the item of a manual run, and starts it. */
export function RunDialog({ automation, close }: RunDialogProps) {
  const [item, setItem] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    void runAutomation(automation, parseItemRef(item))
  }
  return (
    <Dialog isOpen close={close} title={words.runOn}>
      <form className={planning.form} onSubmit={submit}>
        <p className={planning.note}>{words.runText}</p>
        <label>
          {words.item}
          <input
            data-autofocus
            value={item}
            onChange={(event) => setItem(event.currentTarget.value)}
            maxLength={2000}
            autoComplete="off"
          />
          <span className={planning.note}>{words.itemText}</span>
        </label>
        <button type="submit" className={planning.primary}>
          {words.run}
        </button>
      </form>
    </Dialog>
  )
}
