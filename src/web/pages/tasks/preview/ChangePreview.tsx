import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react'
import { useId } from 'react'
import { errorMessage } from '../../../api/problem.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import tasks from '../tasks.module.css'
import type { OpenPreview, Preview, PreviewLine } from './open.ts'
import styles from './preview.module.css'

/** A preview of a change to many values. */
export function ChangePreview({ preview }: { preview: OpenPreview }) {
  return (
    <Dialog isOpen close={() => preview.finish(false)} title={preview.title} isWide>
      <Body preview={preview} finish={preview.finish} />
    </Dialog>
  )
}

interface BodyProps {
  preview: Preview
  finish: (isConfirmed: boolean) => void
}

function Body({ preview, finish }: BodyProps) {
  const id = useId()
  const { check } = preview
  const checkQuery = useQuery({
    queryKey: ['change preview', id],
    queryFn: ({ signal }) => check?.(signal) ?? new Map<string, string>(),
    gcTime: 0,
    retry: false,
  })
  const problems = checkQuery.data ?? new Map<string, string>()
  const lines = preview.lines.map((line) => ({
    ...line,
    problem: line.problem ?? problems.get(line.taskId),
  }))
  const canSend = !checkQuery.isLoading && lines.some(({ problem }) => problem === undefined)
  const validCount = lines.filter(({ problem }) => problem === undefined).length
  return (
    <form
      className={styles.body}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) finish(true)
      }}
    >
      {preview.notes?.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      {checkQuery.error && <p className={styles.note}>{errorMessage(checkQuery.error)}</p>}
      {lines.length > 0 && <Lines lines={lines} />}
      <footer className={styles.foot}>
        <span role="status" className={styles.note}>
          {validCount < lines.length && t.tasks.preview.problems(lines.length - validCount)}
        </span>
        <button type="button" className={tasks.button} onClick={() => finish(false)}>
          {t.app.cancel}
        </button>
        <button type="submit" className={tasks.primary} data-autofocus aria-disabled={!canSend}>
          {preview.action}
        </button>
      </footer>
    </form>
  )
}

function Lines({ lines }: { lines: readonly PreviewLine[] }) {
  const isMixed = new Set(lines.map(({ field }) => field)).size > 1
  return (
    <Box
      component="section"
      className={styles.lines}
      data-mixed={isMixed || undefined}
      aria-label={t.tasks.preview.label}
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t.tasks.preview.task}</th>
            {isMixed && <th scope="col">{t.tasks.preview.value}</th>}
            <th scope="col">{t.tasks.preview.now}</th>
            <th scope="col">{t.tasks.preview.after}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr
              key={`${line.taskId} ${line.field}`}
              data-problem={line.problem !== undefined || undefined}
            >
              <th scope="row">
                <span className={styles.key}>{line.key}</span> <bdi>{line.title}</bdi>
              </th>
              {isMixed && <td>{line.field}</td>}
              <td className={styles.before} dir="auto">
                {line.from || '–'}
              </td>
              <td dir="auto">
                {line.problem === undefined ? (
                  <>
                    <IconArrowRight size={12} aria-hidden /> {line.to || '–'}
                  </>
                ) : (
                  <>
                    <IconAlertTriangle size={13} aria-hidden /> {line.to} {line.problem}
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}
