import { Button, VisuallyHidden } from '@mantine/core'
import { useMemo, useState } from 'react'
import { wiki } from '../../../texts/en/wiki.ts'
import { countDiffRows, diffRows, type DiffLine, type DiffRow } from './line-diff.ts'
import styles from './versions.module.css'

const texts = wiki.versions
/** Rows rendered at a time. */
const rowsAtOnce = 1000

/** Difference between two texts: removed and added lines with the differing words marked, and some lines of context. */
export function LineDiff({ before, after }: { before: string; after: string }) {
  const rows = useMemo(() => diffRows(before, after), [before, after])
  const [count, setCount] = useState(rowsAtOnce)
  if (rows.length === 0) return <p className={styles.quiet}>{texts.equal}</p>
  const showsReturns = before.includes('\r\n') !== after.includes('\r\n')
  return (
    <section aria-label={texts.difference} className={styles.difference}>
      <p className={styles.quiet}>
        {texts.counts(countDiffRows(rows, 'added'), countDiffRows(rows, 'removed'))}
      </p>
      <div className={styles.rows}>
        {rows.slice(0, count).map((row) => (
          <Row key={`${row.kind} ${row.number}`} row={row} showsReturns={showsReturns} />
        ))}
      </div>
      {rows.length > count && (
        <Button size="xs" variant="default" onClick={() => setCount(count + rowsAtOnce)}>
          {texts.moreLines(rows.length - count)}
        </Button>
      )}
    </section>
  )
}

function Row({ row, showsReturns }: { row: DiffRow; showsReturns: boolean }) {
  if (row.kind === 'gap') return <div className={styles.gap}>{texts.unchanged(row.count)}</div>
  const line = <LineText line={row} showsReturns={showsReturns} />
  return (
    <div className={styles.row} data-kind={row.kind}>
      <span className={styles.number} aria-hidden>
        {row.number}
      </span>
      {row.kind === 'same' ? (
        line
      ) : (
        <>
          <VisuallyHidden>{texts.kinds[row.kind]}</VisuallyHidden>
          {row.kind === 'added' ? <ins>{line}</ins> : <del>{line}</del>}
        </>
      )}
    </div>
  )
}

function LineText({ line: { parts }, showsReturns }: { line: DiffLine; showsReturns: boolean }) {
  const formatReturn = (text: string) => text.replace(/\r$/, showsReturns ? '␍' : '')
  let offset = 0
  return (
    <span dir="auto" className={styles.text}>
      {parts.map(({ text, isMarked }) => {
        const key = offset
        offset += text.length
        return isMarked ? (
          <mark key={key}>{formatReturn(text)}</mark>
        ) : (
          <span key={key}>{formatReturn(text)}</span>
        )
      })}
    </span>
  )
}
