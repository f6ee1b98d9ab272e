import { useId, useState, type FormEvent } from 'react'
import { foldText } from '../../../../kernel/text/folded-text.ts'
import { useSignedIn } from '../../../session/session.ts'
import { useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { setCursor } from '../../../ui/work/table/selection.ts'
import { createCompany, type NamedItem } from '../contacts/data.ts'
import { formatMoney } from '../money.ts'
import planning from '../../planning/planning.module.css'
import { createDeal, useStages } from './data.ts'
import styles from './deals.module.css'
import { parseDealLine } from './line.ts'

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
  useListedRows('company', {})
  const companies = useAllRowsOf('company')
  const [line, setLine] = useState('')
  const hintId = useId()
  const firstStage = useStages()[0] ?? ''
  const { name, amount, currency, company: companyName } = parseDealLine(line)
  const existingCompany = findCompany(companies, companyName)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    const company =
      existingCompany ??
      (companyName === undefined ? undefined : await createCompany({ name: companyName }))
    const owner = { id: person.id, title: person.name }
    setCursor(
      await createDeal({
        name,
        stage: initialStage ?? firstStage,
        amount,
        currency,
        company,
        owner,
      }),
    )
  }
  const amountText = amount !== undefined && currency ? formatMoney(amount, currency) : undefined
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <input
        className={styles.line}
        data-autofocus
        value={line}
        onChange={(event) => setLine(event.currentTarget.value)}
        placeholder={words.placeholder}
        aria-label={words.line}
        aria-describedby={hintId}
        maxLength={600}
        autoComplete="off"
        dir="auto"
      />
      <p className={planning.note} id={hintId}>
        {line.trim() === ''
          ? words.hint
          : words.understood(
              amountText,
              existingCompany?.title ?? companyName,
              initialStage ?? firstStage,
            )}
      </p>
      {companyName !== undefined && !existingCompany && (
        <p className={planning.note}>{words.unknownCompany(companyName)}</p>
      )}
      <button type="submit" className={planning.primary} disabled={name === ''}>
        {words.create}
      </button>
    </form>
  )
}

/** The company with the typed name, or else the shortest name that starts with it. */
function findCompany(
  companies: readonly { id: string; name: string }[],
  companyName: string | undefined,
): NamedItem | undefined {
  if (companyName === undefined) return undefined
  const prefix = foldText(companyName)
  const matching = companies
    .filter(({ name }) => foldText(name).startsWith(prefix))
    .toSorted((a, b) => a.name.length - b.name.length)
  const exact = matching.find(({ name }) => name.toLowerCase() === companyName.toLowerCase())
  const company = exact ?? matching[0]
  return company && { id: company.id, title: company.name }
}
