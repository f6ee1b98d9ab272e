import { Textarea } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { call } from '../../../api/client.ts'
import { loadPart } from '../../../api/parts.ts'
import type { MergePart } from '../../../../kernel/text/merge.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { t } from '../../../texts/index.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import { writeTasks } from '../data/write.ts'
import { forgetDraft, useRebasedDraft } from './drafts.ts'
import styles from './item.module.css'
import type { FullTask } from './useTask.ts'

const Conflicts = onDemand(() =>
  import('../../../ui/conflicts/Conflicts.tsx').then(({ Conflicts: Part }) => Part),
)

/** How often it is merged anew when others save faster. */
const maxTries = 5

/** The description as the server has it. */
type SavedText = Pick<FullTask, 'description_markdown' | 'revision'>

interface Props {
  task: FullTask
  draft: string
  close: () => void
}

/**
 * Edits the description as Markdown. What others changed meanwhile is merged into it; where they changed the same lines, one
 * chooses.
 */
export function DescriptionEditor({ task, draft, close }: Props) {
  const { text, setText, base, setBase } = useRebasedDraft(draft, textOf(task))
  const [conflict, setConflict] = useState<{ parts: readonly MergePart[]; theirs: string }>()
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const finish = () => {
    forgetDraft(draft)
    close()
  }
  const save = async () => {
    if (text === base) return finish()
    setSending(true)
    const saved = await saveDescription(task, base, text)
    setSending(false)
    if (saved === 'done') finish()
    else if (saved !== 'refused') setConflict(saved)
  }
  const settle = (chosen: string) => {
    setBase(conflict?.theirs ?? base)
    setText(chosen)
    setConflict(undefined)
    field.current?.focus()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save()
    }
  }
  return (
    <div className={styles.editor}>
      {conflict && <Conflicts parts={conflict.parts} apply={settle} />}
      <Textarea
        ref={field}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
        readOnly={conflict !== undefined}
        autosize
        minRows={4}
        maxRows={24}
        autoFocus
        aria-label={t.tasks.fields.description}
        dir="auto"
      />
      <div className={styles.editorBar}>
        <button
          type="button"
          className={styles.send}
          disabled={isSending || conflict !== undefined}
          onClick={() => void save()}
        >
          {t.app.save} <KeyCombo of="text.send" />
        </button>
        <button type="button" className={styles.small} onClick={finish}>
          {t.app.cancel}
        </button>
        <span className={styles.note}>{t.tasks.markdown}</span>
      </div>
    </div>
  )
}

const textOf = (saved: SavedText) => saved.description_markdown ?? ''

/** Saves a text that began as `base`, with what others changed meanwhile; returns what to choose from where it was the same lines. */
async function saveDescription(task: FullTask, base: string, text: string) {
  let current: SavedText = task
  for (let triesLeft = maxTries; ; ) {
    const theirs = textOf(current)
    const merged = await mergedWith(base, text, theirs)
    if (typeof merged !== 'string') return { parts: merged, theirs }
    triesLeft--
    let isBehind = false
    const done = await writeTasks({
      operation: 'update_task',
      input: {
        task_id: task.id,
        description_markdown: merged === '' ? null : merged,
        expected_revision: current.revision,
      },
      rows: new Map([[task.id, {}]]),
      text: t.tasks.changed(task.key, t.tasks.set.description),
      more: {
        handles: ({ field }) => (isBehind = field === 'expected_revision' && triesLeft > 0),
      },
    })
    if (done) return 'done'
    if (!isBehind) return 'refused'
    current = await call('get_task', { task_id: task.id })
  }
}

/** The text with what others changed; the parts to choose from where they changed the same lines. */
async function mergedWith(
  base: string,
  mine: string,
  theirs: string,
): Promise<string | readonly MergePart[]> {
  if (theirs === base) return mine // nothing is loaded for it: one may be offline
  const { conflictsIn, mergedText, mergeParts } = await loadPart(
    () => import('../../../../kernel/text/merge.ts'),
  )
  const parts = mergeParts(base, mine, theirs)
  return conflictsIn(parts).length > 0 ? parts : mergedText(parts, () => [])
}
