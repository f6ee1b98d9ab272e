import { importTexts as words } from '../../texts/en/imports/imports.ts'
import planning from '../planning/planning.module.css'
import styles from './imports.module.css'

const most = 20

interface RemarksProps {
  skipped: readonly { at: number | string; reason: string }[]
  /** How many are left out in all; `skipped` has the first of them. */
  skippedCount?: number
  warnings: readonly string[]
  /** What to do about what is left out. */
  advice?: string
}

/** What is left out of an import and why, and what else there is to know. */
export function Remarks({
  skipped,
  skippedCount = skipped.length,
  warnings,
  advice = words.fix,
}: RemarksProps) {
  return (
    <>
      {skipped.length > 0 && (
        <section className={styles.problems}>
          <h3>{words.problems(skippedCount)}</h3>
          <List
            lines={skipped.map(({ at, reason }) => words.line(at, reason))}
            count={skippedCount}
          />
          <p className={planning.note}>{advice}</p>
        </section>
      )}
      {warnings.length > 0 && (
        <section className={styles.problems}>
          <h3>{words.warnings(warnings.length)}</h3>
          <List lines={warnings} count={warnings.length} />
        </section>
      )}
    </>
  )
}

function List({ lines, count }: { lines: readonly string[]; count: number }) {
  const shown = [...new Set(lines)].slice(0, most)
  return (
    <ul className={planning.note}>
      {shown.map((line) => (
        <li key={line} dir="auto">
          {line}
        </li>
      ))}
      {count > most && <li>{words.more(count - shown.length)}</li>}
    </ul>
  )
}
