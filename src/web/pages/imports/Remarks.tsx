import { importTexts as words } from '../../texts/en/imports/imports.ts'
import planning from '../planning/planning.module.css'
import styles from './imports.module.css'

const maxLines = 20

interface RemarksProps {
  skipped: readonly { at: number | string; reason: string }[]
  /** Total number of those left out; `skipped` contains the first of them. */
  skippedCount?: number
  warnings: readonly string[]
  /** Advice on records that were left out. */
  advice?: string
}

/** Records left out of an import, with reasons, and other remarks. */
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
  const visibleLines = [...new Set(lines)].slice(0, maxLines)
  return (
    <ul className={planning.note}>
      {visibleLines.map((line) => (
        <li key={line} dir="auto">
          {line}
        </li>
      ))}
      {count > maxLines && <li>{words.more(count - visibleLines.length)}</li>}
    </ul>
  )
}
