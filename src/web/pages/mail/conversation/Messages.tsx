import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCommands, type CommandHandlers } from '../../../keys/commands.ts'
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
  controls: CompositionControls
}

/** The messages of a conversation, oldest first; earlier read ones are collapsed. */
export function Messages({ id, isSettled, controls }: MessagesProps) {
  const { messages, linked, hasMore, loadMore, error, retry } = useThread(id, isSettled)
  const last = messages?.at(-1)
  const navigate = useNavigate()
  const mailWithFiles = messages?.findLast(({ attachments }) => attachments.length > 0)
  const listMail = messages?.findLast((mail) => mail.list_unsubscribe)
  const [attachmentsToSave, setAttachmentsToSave] = useState<readonly MailAttachment[]>()
  const [mailToUnsubscribe, setMailToUnsubscribe] = useState<ThreadMail>()
  const createRule = ({ email = '' }: ThreadMail['from']) =>
    void navigate({ to: '/settings/mail/rules/new', search: { from: email } })
  const sender = messages?.findLast(({ delivery }) => delivery === 'received')?.from
  useCommands({
    ...(last && answerCommands(last, controls)),
    'mail.rule': sender && (() => createRule(sender)),
    'mail.saveFiles': mailWithFiles && (() => setAttachmentsToSave(mailWithFiles.attachments)),
    'mail.unsubscribe': listMail && (() => setMailToUnsubscribe(listMail)),
  })
  if (!messages) return error ? <Problem error={error} retry={retry} /> : <Loading />
  return (
    <>
      {listMail && (
        <p className={styles.quiet}>
          {t.handling.leave.list}{' '}
          <button
            type="button"
            className={styles.leave}
            onClick={() => setMailToUnsubscribe(listMail)}
          >
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
      <AnswerArea threadId={id} controls={controls} />
      {attachmentsToSave && (
        <SaveFiles attachments={attachmentsToSave} close={() => setAttachmentsToSave(undefined)} />
      )}
      {mailToUnsubscribe && (
        <Unsubscribe mail={mailToUnsubscribe} close={() => setMailToUnsubscribe(undefined)} />
      )}
    </>
  )
}

/** The last message is the one to reply to or forward. */
function answerCommands(last: ThreadMail, controls: CompositionControls): CommandHandlers {
  return {
    'mail.reply': () => controls.reply(last),
    'mail.replyAll': () => controls.replyAll(last),
    'mail.forward': () => controls.forward(last),
  }
}

/** Drafts of the conversation, and the one being edited. */
function AnswerArea({ threadId, controls }: { threadId: string; controls: CompositionControls }) {
  const { openMail, close, reopen, edit, markSaved } = controls
  const isOpenHere = openMail?.composition.threadId === threadId
  return (
    <>
      <Drafts
        threadId={threadId}
        openId={isOpenHere ? openMail.composition.draftId : undefined}
        edit={edit}
      />
      {isOpenHere && (
        <Composer
          key={openMail.serial}
          composition={openMail.composition}
          close={close}
          reopen={reopen}
          saved={markSaved}
        />
      )}
    </>
  )
}
