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

/** Planned import of a file, and the button that starts it. */
export function PagePlanView({ source, options, begin }: PagePlanViewProps) {
  const planQuery = usePagePlan(source, options)
  const plan = planQuery.error ? undefined : planQuery.data
  const count = plan?.created.length ?? 0
  return (
    <>
      {planQuery.isPending && <p role="status">{importTexts.reading}</p>}
      {planQuery.error && <Problem error={planQuery.error} />}
      {plan && (
        <>
          <p className={styles.said} role="status">
            {words.counts(count, plan.skipped.length)}
          </p>
          <Titles plan={plan} />
          <Remarks {...remarksOf(plan)} />
        </>
      )}
      <button
        type="button"
        className={planning.primary}
        disabled={count === 0 || planQuery.isPlaceholderData}
        onClick={begin}
      >
        {words.action(count)}
      </button>
    </>
  )
}

/** Pages left out of an import, with reasons. */
export const remarksOf = ({ skipped, warnings }: PagePlan) => ({
  skipped: skipped.map(({ line_or_path, reason }) => ({ at: line_or_path, reason })),
  warnings,
  advice: words.advice,
})

const maxTitles = 30

function Titles({ plan: { created } }: { plan: PagePlan }) {
  const listed = created.slice(0, maxTitles)
  return (
    <section className={styles.problems}>
      <h3>{words.first}</h3>
      <ul>
        {listed.map(({ id, title }) => (
          <li key={id} dir="auto">
            {title}
          </li>
        ))}
        {created.length > maxTitles && <li>{importTexts.more(created.length - maxTitles)}</li>}
      </ul>
    </section>
  )
}
