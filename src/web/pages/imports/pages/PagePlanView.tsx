import { importTexts } from '../../../texts/en/imports/imports.ts'
import { pageImport as words } from '../../../texts/en/imports/pages.ts'
import { Problem } from '../../../ui/states.tsx'
import planning from '../../planning/planning.module.css'
import styles from '../imports.module.css'
import { Remarks } from '../Remarks.tsx'
import type { ImportSource } from '../source.ts'
import { usePagePlan, type PageOptions, type PagePlan } from './data.ts'

interface PagePlanViewProps {
  source: ImportSource
  options: PageOptions
  begin: () => void
}

/** What becomes of a file, and the button that imports it. */
export function PagePlanView({ source, options, begin }: PagePlanViewProps) {
  const found = usePagePlan(source, options)
  const plan = found.error ? undefined : found.data
  const count = plan?.created.length ?? 0
  return (
    <>
      {found.isPending && <p role="status">{importTexts.reading}</p>}
      {found.error && <Problem error={found.error} />}
      {plan && (
        <>
          <p className={styles.said} role="status">
            {words.counts(count, plan.skipped.length)}
          </p>
          <Titles of={plan} />
          <Remarks {...remarksOf(plan)} />
        </>
      )}
      <button
        type="button"
        className={planning.primary}
        disabled={count === 0 || found.isPlaceholderData}
        onClick={begin}
      >
        {words.action(count)}
      </button>
    </>
  )
}

/** What is left out of an import of pages and why. */
export const remarksOf = ({ skipped, warnings }: PagePlan) => ({
  skipped: skipped.map(({ line_or_path, reason }) => ({ at: line_or_path, reason })),
  warnings,
  advice: words.advice,
})

const most = 30

function Titles({ of: { created } }: { of: PagePlan }) {
  const shown = created.slice(0, most)
  return (
    <section className={styles.problems}>
      <h3>{words.first}</h3>
      <ul>
        {shown.map(({ id, title }) => (
          <li key={id} dir="auto">
            {title}
          </li>
        ))}
        {created.length > most && <li>{importTexts.more(created.length - most)}</li>}
      </ul>
    </section>
  )
}
