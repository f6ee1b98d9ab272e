import { IconAlertTriangle, IconCalendarOff, IconPaperclip } from '@tabler/icons-react'
import { PlainText } from '../../ui/Outside.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { Face } from '../../ui/work/Who.tsx'
import { MailFiles } from './conversation/MailFiles.tsx'
import { personName } from './correspondents.ts'
import { LinkedText } from './LinkedText.tsx'
import styles from './mail.module.css'
import { mailTexts as t } from './texts.ts'
import type { ThreadMail } from './useThread.ts'

interface MailMessageProps {
  mail: ThreadMail
  /** True if it is initially expanded. */
  isOpen: boolean
}

/** A message of a conversation, shown as text: no content of the mail is loaded or run. */
export function MailMessage({ mail, isOpen }: MailMessageProps) {
  const name = personName(mail.from)
  return (
    <details className={styles.letter} open={isOpen}>
      <summary className={styles.summary}>
        <Face id={name} name={name} size={24} />
        <span className={styles.sender} dir="auto">
          {name}
        </span>
        <span className={styles.preview} dir="auto">
          {mail.snippet}
        </span>
        {mail.attachments.length > 0 && <IconPaperclip size={14} aria-hidden />}
        <time dateTime={mail.date} className={styles.date}>
          {formatMoment(mail.date)}
        </time>
      </summary>
      <div className={styles.letterBody}>
        <p className={styles.recipients}>{recipientsOf(mail)}</p>
        <Warnings mail={mail} />
        {mail.event_problem !== undefined && (
          <p className={styles.note}>
            <IconCalendarOff size={15} aria-hidden />
            {t.items.mail.calendarUnchanged(mail.event_problem)}
          </p>
        )}
        <Body mail={mail} />
        {mail.attachments.length > 0 && <MailFiles attachments={mail.attachments} />}
      </div>
    </details>
  )
}

function recipientsOf({ to, cc }: ThreadMail): string {
  const labelAddresses = (label: string, addresses: ThreadMail['to']) =>
    addresses.length === 0 ? [] : [`${label} ${addresses.map(personName).join(', ')}`]
  return [...labelAddresses(t.items.mail.to, to), ...labelAddresses(t.items.mail.cc, cc)].join(
    ' · ',
  )
}

function Warnings({ mail }: { mail: ThreadMail }) {
  const isSuspicious = mail.delivery === 'received' && mail.authentication.dmarc === 'fail'
  const lines = [
    ...(isSuspicious ? [t.items.mail.unverified] : []),
    ...(mail.delivery_problem === undefined ? [] : [mail.delivery_problem]),
  ]
  return lines.map((line) => (
    <p key={line} className={styles.warning}>
      <IconAlertTriangle size={15} aria-hidden /> {line}
    </p>
  ))
}

/** The text of a message. Text by strangers is marked, and its links show their targets. */
function Body({ mail: { content, body_state, snippet, from } }: { mail: ThreadMail }) {
  if (!content)
    return (
      <p className={styles.quiet}>
        {body_state === 'pending' ? t.items.mail.pending : snippet || t.items.mail.noText}
      </p>
    )
  if (content.text.trim() === '') return <p className={styles.quiet}>{t.items.mail.noText}</p>
  const truncationNote = content.next_offset !== undefined && (
    <p className={styles.quiet}>{t.items.mail.cut}</p>
  )
  if (content.trust !== 'external')
    return (
      <>
        <PlainText text={content.text} />
        {truncationNote}
      </>
    )
  return (
    <div className={styles.fence}>
      <p className={styles.outside}>{t.mailbox.outside(from.email ?? from.name ?? '')}</p>
      <LinkedText text={content.text} />
      {truncationNote}
    </div>
  )
}
