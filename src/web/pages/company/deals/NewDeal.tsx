import { useId, useState, type FormEvent } from 'react'
import { foldText } from '../../../../kernel/text/folded-text.ts'
import { useSignedIn } from '../../../session/session.ts'
import { useAllRowsOf, useListed } from '../../../store/index.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { setCursor } from '../../../ui/work/table/selection.ts'
import { createCompany, type Named } from '../contacts/data.ts'
import { money } from '../money.ts'
import planning from '../../planning/planning.module.css'
import { createDeal, useStages } from './data.ts'
import styles from './deals.module.css'
import { readDealLine } from './line.ts'

interface NewDealProps {
  /** Its initial stage; usually the first. */
  stage: string | undefined
  close: () => void
}

/** The one-line form for new deals. */
export function NewDeal({ stage, close }: NewDealProps) {
  return (
    <Dialog isOpen close={close} title={words.create}>
      <DealForm stage={stage} close={close} />
    </Dialog>
  )
}

function DealForm({ stage: initialStage, close }: NewDealProps) {
  const { person } = useSignedIn()
  useListed('company', {})
  const companies = useAllRowsOf('company')
  const [line, setLine] = useState('')
  const hint = useId()
  const stage = useStages()[0] ?? ''
  const { name, amount, currency, company: wanted } = readDealLine(line)
  const existingCompany = findCompany(companies, wanted)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    const company =
      existingCompany ?? (wanted === undefined ? undefined : await createCompany({ name: wanted }))
    const owner = { id: person.id, title: person.name }
    setCursor(
      await createDeal({ name, stage: initialStage ?? stage, amount, currency, company, owner }),
    )
  }
  const worth = amount !== undefined && currency ? money(amount, currency) : undefined
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <input
        className={styles.line}
        data-autofocus
        value={line}
        onChange={(event) => setLine(event.currentTarget.value)}
        placeholder={words.placeholder}
        aria-label={words.line}
        aria-describedby={hint}
        maxLength={600}
        autoComplete="off"
        dir="auto"
      />
      <p className={planning.note} id={hint}>
        {line.trim() === ''
          ? words.hint
          : words.understood(worth, existingCompany?.title ?? wanted, initialStage ?? stage)}
      </p>
      {wanted !== undefined && !existingCompany && (
        <p className={planning.note}>{words.unknownCompany(wanted)}</p>
      )}
      <button type="submit" className={planning.primary} disabled={name === ''}>
        {words.create}
      </button>
    </form>
  )
}

/** The company whose name starts with the typed text; the shortest of several. */
function findCompany(
  companies: readonly { id: string; name: string }[],
  wanted: string | undefined,
): Named | undefined {
  if (wanted === undefined) return undefined
  const start = foldText(wanted)
  const matching = companies
    .filter(({ name }) => foldText(name).startsWith(start))
    .toSorted((a, b) => a.name.length - b.name.length)
  const exact = matching.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const company = exact ?? matching[0]
  return company && { id: company.id, title: company.name }
}
