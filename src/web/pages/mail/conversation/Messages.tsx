import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCommands, type CommandRuns } from '../../../keys/commands.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Loading, Problem } from '../../../ui/states.tsx'
import { WaitingHere } from '../../activity/approvals/WaitingHere.tsx'
import { Composer } from '../compose/Composer.tsx'
import { Drafts } from '../compose/Drafts.tsx'
import type { CompositionControls } from '../compose/useComposition.ts'
import styles from '../mail.module.css'
import { MailMessage } from '../MailMessage.tsx'
import { mailTexts as t } from '../texts.ts'
import { useThread, type ThreadMail } from '../useThread.ts'
import { SaveFiles, type MailAttachment } from './MailFiles.tsx'
import { Unsubscribe } from './Unsubscribe.tsx'

interface MessagesProps {
  id: string
  isSettled: boolean
  writing: CompositionControls
}

/** Its messages, oldest first; earlier read ones are collapsed. */
export function Messages({ id, isSettled, writing }: MessagesProps) {
  const { messages, linked, hasMore, loadMore, error, retry } = useThread(id, isSettled)
  const last = messages?.at(-1)
  const navigate = useNavigate()
  const withFiles = messages?.findLast(({ attachments }) => attachments.length > 0)
  const listMail = messages?.findLast((mail) => mail.list_unsubscribe)
  const [saving, setSaving] = useState<readonly MailAttachment[]>()
  const [leaving, setLeaving] = useState<ThreadMail>()
  const makeRule = ({ email = '' }: ThreadMail['from']) =>
    void navigate({ to: '/settings/mail/rules/new', search: { from: email } })
  const sender = messages?.findLast(({ delivery }) => delivery === 'received')?.from
  useCommands({
    ...(last && answerCommands(last, writing)),
    'mail.rule': sender && (() => makeRule(sender)),
    'mail.saveFiles': withFiles && (() => setSaving(withFiles.attachments)),
    'mail.unsubscribe': listMail && (() => setLeaving(listMail)),
  })
  if (!messages) return error ? <Problem error={error} retry={retry} /> : <Loading />
  return (
    <>
      {listMail && (
        <p className={styles.quiet}>
          {t.handling.leave.list}{' '}
          <button type="button" className={styles.leave} onClick={() => setLeaving(listMail)}>
            {t.handling.leave.action}
          </button>
        </p>
      )}
      {linked.length > 0 && (
        <div className={styles.linked}>
          {linked.map((item) => (
            <ItemLink key={item.id} item={item} />
          ))}
        </div>
      )}
      <WaitingHere ids={[id, ...messages.map((mail) => mail.id)]} />
      {messages.map((mail, n) => (
        <MailMessage
          key={mail.id}
          mail={mail}
          isOpen={n === messages.length - 1 || mail.unread || mail.delivery === 'failed'}
        />
      ))}
      {hasMore && (
        <Button variant="default" onClick={loadMore}>
          {t.items.mail.more}
        </Button>
      )}
      <Answer threadId={id} writing={writing} />
      {saving && <SaveFiles attachments={saving} close={() => setSaving(undefined)} />}
      {leaving && <Unsubscribe mail={leaving} close={() => setLeaving(undefined)} />}
    </>
  )
}

/** The last message is the one to reply to or forward. */
function answerCommands(last: ThreadMail, writing: CompositionControls): CommandRuns {
  return {
    'mail.reply': () => writing.reply(last),
    'mail.replyAll': () => writing.replyAll(last),
    'mail.forward': () => writing.forward(last),
  }
}

/** Drafts of the conversation, and the one being edited. */
function Answer({ threadId, writing }: { threadId: string; writing: CompositionControls }) {
  const { open, close, reopen, edit, markSaved } = writing
  const isHere = open?.composition.threadId === threadId
  return (
    <>
      <Drafts
        threadId={threadId}
        openId={isHere ? open.composition.draftId : undefined}
        edit={edit}
      />
      {isHere && (
        <Composer
          key={open.serial}
          composition={open.composition}
          close={close}
          reopen={reopen}
          saved={markSaved}
        />
      )}
    </>
  )
}
