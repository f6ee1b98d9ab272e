import { IconClock, IconX } from '@tabler/icons-react'
import { formatMoment } from '../../../ui/times.tsx'
import frame from '../../inbox/inbox.module.css'
import { describeMoment } from '../../inbox/moments.ts'
import { addressText, type MailDraft } from '../compose/composition.ts'
import { mailTexts as t } from '../texts.ts'
import type { OutboxActions } from './MailOutbox.tsx'
import styles from './outbox.module.css'
import type { ScheduledMail } from './schedule.ts'

const words = t.handling.outbox

interface ScheduledLineProps {
  mail: ScheduledMail
  actions: OutboxActions
}

/** A scheduled mail: time, recipients, and actions. */
export function ScheduledLine({ mail, actions }: ScheduledLineProps) {
  const { draft, send_at, status, cancel_if_replied, error } = mail
  const isQueued = status === 'queued'
  return (
    <li className={styles.line} data-outgoing={mail.id}>
      <button
        type="button"
        className={styles.words}
        data-row
        disabled={!isQueued}
        onClick={() => actions.edit(mail)}
      >
        <DraftSummary draft={draft} />
        <span className={styles.when}>
          <time dateTime={send_at}>{describeMoment(new Date(send_at))}</time>
          {!isQueued && ` · ${words.isSending}`}
          {cancel_if_replied && ` · ${words.unlessReplied}`}
        </span>
        {error !== undefined && <span className={styles.problem}>{error}</span>}
      </button>
      {isQueued && (
        <>
          <button
            type="button"
            className={frame.tool}
            aria-label={words.another}
            title={words.another}
            onClick={(event) => actions.move(mail, event.currentTarget)}
          >
            <IconClock size={16} aria-hidden />
          </button>
          <button
            type="button"
            className={frame.tool}
            aria-label={words.cancel}
            title={words.cancel}
            onClick={() => actions.cancel(mail)}
          >
            <IconX size={16} aria-hidden />
          </button>
        </>
      )}
    </li>
  )
}

/** A draft that can be opened. */
export function DraftLine({ draft, open }: { draft: MailDraft; open: () => void }) {
  return (
    <li className={styles.line}>
      <button type="button" className={styles.words} data-row onClick={open}>
        <DraftSummary draft={draft} />
        <span className={styles.when}>
          <time dateTime={draft.updated_at}>{formatMoment(draft.updated_at)}</time>
        </span>
      </button>
    </li>
  )
}

function DraftSummary({ draft: { subject, to, cc, bcc, body_markdown } }: { draft: MailDraft }) {
  return (
    <span className={styles.text} dir="auto">
      <strong>{subject || t.mailbox.noSubject}</strong>{' '}
      <span className={styles.quiet}>
        {words.to([...to, ...cc, ...bcc].map(addressText).join(', '))} ·{' '}
        {body_markdown.slice(0, 200)}
      </span>
    </span>
  )
}
