import type { Row } from '../../../records/resource.ts'

/** Columns of a message that determine who has to answer whom. */
export type ThreadMessage = Pick<
  Row<'emails'>,
  'from_email' | 'is_own' | 'is_bulk' | 'place' | 'sent_at' | 'subject' | 'answered' | 'delivery'
> & {
  /** To addresses, in lower case. */
  to: readonly string[]
  /** Whether it contains an invitation or a response to one. */
  calendar: boolean
}

export interface Awaiting {
  awaiting: Row<'mail_threads'>['awaiting']
  /** When the message awaiting an answer was sent. */
  since: number | null
}

const notAwaiting: Awaiting = { awaiting: 'none', since: null }

/** Senders that do not read replies. */
const unattendedSender =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer-daemon|postmaster|bounces?|notifications?|noreply[-+_.].*|.*[-+_.]no-?reply)(?:\+.*)?@/i
/** Subjects of automatic answers by mail programs: out of office, accepted and declined invitations. */
const automaticSubject =
  /^\s*(?:(?:automatic reply|auto(?:matic)?[- ]?reply|out of (?:the )?office|automatische antwort|abwesenheits(?:notiz|benachrichtigung)|réponse automatique|respuesta automática|accepted|declined|tentative(?:ly accepted)?|zugesagt|abgesagt|abgelehnt|mit vorbehalt|accepté|refusé|aceptado|rechazado)\s*:|undeliver(?:ed|able)\b|delivery status notification)/i

/**
 * Determines who waits for whom in a conversation, by its last message from a person: one addressed to me waits for
 * me until it is answered, archived or deleted; one of mine to someone else waits for them, unless it requests
 * nothing. Newsletters, automatic mail, invitations, spam and drafts are ignored. `mine`: my addresses, in lower
 * case.
 * `asks`: whether a message of mine contains a question or a request; undefined if unknown.
 */
export async function awaitingOf<Message extends ThreadMessage>(
  messages: readonly Message[],
  mine: ReadonlySet<string>,
  asks: (message: Message) => Promise<boolean | undefined>,
): Promise<Awaiting> {
  const personalMessages = messages.filter(isPersonalMessage).sort((a, b) => a.sent_at - b.sent_at)
  const last = personalMessages.at(-1)
  if (!last || last.place === 'trash') return notAwaiting
  if (last.is_own === 1) {
    const isToOthers = last.to.some((name) => !mine.has(name) && !unattendedSender.test(name))
    return isToOthers && (await asks(last)) !== false
      ? { awaiting: 'them', since: last.sent_at }
      : notAwaiting
  }
  if (last.place === 'archive') return notAwaiting // archived conversations are settled
  return last.answered === 0 && last.to.some((name) => mine.has(name))
    ? { awaiting: 'me', since: last.sent_at }
    : notAwaiting
}

/** Recipients of an own message whose answer it waits for. */
export function awaitedRecipients(
  to: readonly { name?: string; email: string }[],
  mine: ReadonlySet<string>,
): { name?: string; email: string }[] {
  return to.filter(
    ({ email }) => email !== '' && !mine.has(email.toLowerCase()) && !unattendedSender.test(email),
  )
}

function isPersonalMessage(threadMessage: ThreadMessage): boolean {
  if (
    threadMessage.place === 'drafts' ||
    threadMessage.place === 'spam' ||
    threadMessage.delivery === 'failed'
  )
    return false
  if (threadMessage.is_own === 1)
    return !threadMessage.calendar && !automaticSubject.test(threadMessage.subject)
  return (
    threadMessage.is_bulk === 0 &&
    !threadMessage.calendar &&
    !unattendedSender.test(threadMessage.from_email) &&
    !automaticSubject.test(threadMessage.subject)
  )
}
