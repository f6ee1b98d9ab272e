import { useEffect } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { calendarTexts as t } from '../texts.ts'
import styles from './event.module.css'
import { useScopeQuestion } from './scope.ts'

/** Asks which events of a series to change. Arrows move between the answers, Enter chooses one, Escape cancels. */
export function ScopeDialog() {
  const question = useScopeQuestion()
  const answer = question?.answer
  useEffect(() => () => answer?.(undefined), [answer])
  if (!question) return null
  const { row, verb, choices } = question
  return (
    <Dialog
      isOpen
      close={() => question.answer(undefined)}
      title={t.calendar.scope.title(row.title)}
      className={styles.small}
    >
      <p className={styles.question}>{t.calendar.scope.question[verb]}</p>
      <div className={styles.choices}>
        {choices.map((scope, n) => (
          <button
            key={scope}
            type="button"
            className={styles.choice}
            data-autofocus={n === 0 || undefined}
            onClick={() => question.answer(scope)}
            onKeyDown={(event) => {
              const siblingByKey = {
                ArrowDown: 'nextElementSibling',
                ArrowUp: 'previousElementSibling',
              } as const
              const target =
                event.currentTarget[siblingByKey[event.key as 'ArrowUp'] ?? 'firstElementChild']
              if (target instanceof HTMLElement) target.focus()
            }}
          >
            {t.calendar.scope[scope]}
          </button>
        ))}
      </div>
    </Dialog>
  )
}
