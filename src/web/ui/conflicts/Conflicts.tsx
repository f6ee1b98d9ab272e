import { Button, Radio } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import {
  conflictsIn,
  mergedText,
  type MergeConflict,
  type MergePart,
} from '../../../kernel/text/merge.ts'
import { conflicts as texts } from '../../texts/en/conflicts.ts'
import styles from './conflicts.module.css'

const choices = ['both', 'mine', 'theirs'] as const
type Choice = (typeof choices)[number]

function chosenLines({ mine, theirs }: MergeConflict, choice: Choice): readonly string[] {
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
  const [choiceByLine, setChoiceByLine] = useState<ReadonlyMap<number, Choice>>(new Map())
  useEffect(() => box.current?.focus(), [])
  const conflicts = conflictsIn(parts)
  const choiceOf = (line: number) => choiceByLine.get(line) ?? 'both'
  const resolvedText = () =>
    mergedText(parts, (conflict) => chosenLines(conflict, choiceOf(conflict.line)))
  return (
    <section
      ref={box}
      tabIndex={-1}
      className={styles.conflicts}
      aria-label={texts.title(conflicts.length)}
    >
      <div role="alert">
        <h2>{texts.title(conflicts.length)}</h2>
      </div>
      <p>{texts.text}</p>
      {conflicts.map((conflict) => (
        <div key={conflict.line} className={styles.conflict}>
          <h3>{texts.line(conflict.line)}</h3>
          <dl>
            <Lines label={texts.before} lines={conflict.base} />
            <Lines label={texts.theirs} lines={conflict.theirs} />
            <Lines label={texts.mine} lines={conflict.mine} />
          </dl>
          <Radio.Group
            aria-label={texts.line(conflict.line)}
            value={choiceOf(conflict.line)}
            onChange={(choice) =>
              setChoiceByLine(new Map(choiceByLine).set(conflict.line, choice as Choice))
            }
          >
            <div className={styles.choices}>
              {choices.map((choice) => (
                <Radio key={choice} value={choice} label={texts.choices[choice]} />
              ))}
            </div>
          </Radio.Group>
        </div>
      ))}
      <Button size="xs" onClick={() => apply(resolvedText())}>
        {texts.apply}
      </Button>
    </section>
  )
}

function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <div className={styles.lines}>
      <dt>{label}</dt>
      <dd dir="auto">{lines.length === 0 ? <em>{texts.none}</em> : lines.join('\n')}</dd>
    </div>
  )
}
