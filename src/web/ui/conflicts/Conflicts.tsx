import { Button, Radio } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import {
  conflictsIn,
  mergedText,
  type MergeConflict,
  type MergePart,
} from '../../../kernel/text/merge.ts'
import { conflicts as words } from '../../texts/en/conflicts.ts'
import styles from './conflicts.module.css'

const choices = ['both', 'mine', 'theirs'] as const
type Choice = (typeof choices)[number]

function chosen({ mine, theirs }: MergeConflict, choice: Choice): readonly string[] {
  if (choice === 'both') return [...theirs, ...mine]
  return choice === 'mine' ? mine : theirs
}

/** Conflicting lines: the original, the current and the reader's version, to choose from. */
export function Conflicts({
  parts,
  apply,
}: {
  parts: readonly MergePart[]
  apply: (text: string) => void
}) {
  const box = useRef<HTMLElement>(null)
  const [picked, setPicked] = useState<ReadonlyMap<number, Choice>>(new Map())
  useEffect(() => box.current?.focus(), [])
  const conflicts = conflictsIn(parts)
  const choiceOf = (line: number) => picked.get(line) ?? 'both'
  const text = () => mergedText(parts, (conflict) => chosen(conflict, choiceOf(conflict.line)))
  return (
    <section
      ref={box}
      tabIndex={-1}
      className={styles.conflicts}
      aria-label={words.title(conflicts.length)}
    >
      <div role="alert">
        <h2>{words.title(conflicts.length)}</h2>
      </div>
      <p>{words.text}</p>
      {conflicts.map((conflict) => (
        <div key={conflict.line} className={styles.conflict}>
          <h3>{words.line(conflict.line)}</h3>
          <dl>
            <Lines label={words.before} lines={conflict.base} />
            <Lines label={words.theirs} lines={conflict.theirs} />
            <Lines label={words.mine} lines={conflict.mine} />
          </dl>
          <Radio.Group
            aria-label={words.line(conflict.line)}
            value={choiceOf(conflict.line)}
            onChange={(choice) => setPicked(new Map(picked).set(conflict.line, choice as Choice))}
          >
            <div className={styles.choices}>
              {choices.map((choice) => (
                <Radio key={choice} value={choice} label={words.choices[choice]} />
              ))}
            </div>
          </Radio.Group>
        </div>
      ))}
      <Button size="xs" onClick={() => apply(text())}>
        {words.apply}
      </Button>
    </section>
  )
}

function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <div className={styles.lines}>
      <dt>{label}</dt>
      <dd dir="auto">{lines.length === 0 ? <em>{words.none}</em> : lines.join('\n')}</dd>
    </div>
  )
}
