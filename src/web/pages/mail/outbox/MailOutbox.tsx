import { IconSend } from '@tabler/icons-react'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import frame from '../../inbox/inbox.module.css'
import { LaterMenu } from '../../inbox/LaterMenu.tsx'
import { NewMail } from '../compose/NewMail.tsx'
import { useComposition } from '../compose/useComposition.ts'
import { MailBar } from '../MailBar.tsx'
import type { MailView } from '../splits.ts'
import { mailTexts as t } from '../texts.ts'
import { viewCommands } from '../useTriage.ts'
import { useThreads } from '../useThreads.ts'
import { DraftLine, ScheduledLine } from './Lines.tsx'
import styles from './outbox.module.css'
import { cancelSending, reschedule, unschedule, type ScheduledMail } from './schedule.ts'

const words = t.handling.outbox

/** Scheduled mail, and drafts. */
export function MailOutbox({ show }: { show: (view: MailView) => void }) {
  const { counts } = useThreads('reply', undefined)
  const scheduled = useScheduled()
  const drafts = useDrafts()
  const refetch = useCallback(
    () => void invalidateOperations('list_scheduled_emails', 'list_email_drafts'),
    [],
  )
  const controls = useComposition()
  const list = useRef<HTMLDivElement>(null)
  const [mailToMove, setMailToMove] = useState<{ mail: ScheduledMail; anchor: Element }>()
  const actions: OutboxActions = {
    edit: (mail) => void cancelSending(mail.id).then(controls.edit).catch(notifyProblem),
    move: (mail, anchor) => setMailToMove({ mail, anchor }),
    cancel: (mail) => void unschedule(mail, controls.edit).catch(notifyProblem),
    open: controls.edit,
  }
  useRowKeys(list)
  useOutboxKeys(scheduled.items, actions, { show, write: controls.write })
  return (
    <div className={frame.screen}>
      <MailBar view="outbox" show={show} counts={counts} />
      <div className={frame.scroller} ref={list}>
        <Lists scheduled={scheduled} drafts={drafts} refetch={refetch} actions={actions} />
      </div>
      <NewMail controls={controls} shownId={undefined} isStandalone />
      {mailToMove && (
        <LaterMenu
          anchor={mailToMove.anchor}
          close={() => setMailToMove(undefined)}
          choose={(newTime) =>
            void reschedule(mailToMove.mail, newTime, controls.edit).catch(notifyProblem)
          }
        />
      )}
    </div>
  )
}

const useScheduled = () => useList('list_scheduled_emails', { limit: 100 })
const useDrafts = () => useList('list_email_drafts', { limit: 100 })

interface ListsProps {
  scheduled: ReturnType<typeof useScheduled>
  drafts: ReturnType<typeof useDrafts>
  refetch: () => void
  actions: OutboxActions
}

function Lists({ scheduled, drafts, refetch, actions }: ListsProps) {
  const openDrafts = drafts.items.filter(({ state }) => state === 'draft')
  const error = scheduled.error ?? drafts.error
  if (error) return <Problem error={error} retry={refetch} />
  if (scheduled.isPending || drafts.isPending) return <Loading />
  if (scheduled.items.length + openDrafts.length === 0)
    return <EmptyState icon={IconSend} title={words.empty.title} text={words.empty.text} />
  return (
    <>
      <OutboxSection title={words.scheduled} isShown={scheduled.items.length > 0}>
        {scheduled.items.map((mail) => (
          <ScheduledLine key={mail.id} mail={mail} actions={actions} />
        ))}
      </OutboxSection>
      <OutboxSection title={words.drafts} isShown={openDrafts.length > 0}>
        {openDrafts.map((draft) => (
          <DraftLine key={draft.id} draft={draft} open={() => actions.open(draft)} />
        ))}
      </OutboxSection>
    </>
  )
}

export interface OutboxActions {
  /** Cancels sending and opens it for editing. */
  edit: (mail: ScheduledMail) => void
  move: (mail: ScheduledMail, anchor: Element) => void
  cancel: (mail: ScheduledMail) => void
  open: ReturnType<typeof useComposition>['edit']
}

interface OutboxNavigation {
  show: (view: MailView) => void
  write: () => void
}

function useOutboxKeys(
  scheduled: readonly ScheduledMail[],
  { move, cancel }: OutboxActions,
  { show, write }: OutboxNavigation,
): void {
  const withMail = (run: (mail: ScheduledMail, row: Element) => void) => () => {
    const row = document.activeElement?.closest('[data-outgoing]')
    const mail = scheduled.find(({ id }) => id === row?.getAttribute('data-outgoing'))
    if (!row || mail?.status !== 'queued') return false
    run(mail, row)
    return true
  }
  useCommands({
    'mail.write': write,
    'mail.later': withMail(move),
    'mail.unschedule': withMail(cancel),
    ...viewCommands(show),
  })
}

interface OutboxSectionProps {
  title: string
  isShown: boolean
  children: ReactNode
}

function OutboxSection({ title, isShown, children }: OutboxSectionProps) {
  if (!isShown) return null
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}
