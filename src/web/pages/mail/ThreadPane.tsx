import { useDebouncedValue } from '@mantine/hooks'
import {
  IconArchive,
  IconArrowBackUp,
  IconArrowBackUpDouble,
  IconArrowForwardUp,
  IconArrowLeft,
  IconArrowsDiagonal,
  IconClock,
  IconInbox,
  IconMail,
  IconTrash,
} from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { useCommands, type CommandRuns } from '../../keys/commands.ts'
import { appPath, RouterLink } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import frame from '../inbox/inbox.module.css'
import { CommandTool, Tool } from '../inbox/Pane.tsx'
import { subjectOf } from './actions.ts'
import { Composer } from './compose/Composer.tsx'
import { Drafts } from './compose/Drafts.tsx'
import type { MailWriting } from './compose/useComposition.ts'
import { MailMessage } from './MailMessage.tsx'
import styles from './mail.module.css'
import type { Split, ThreadRow } from './splits.ts'
import { mailTexts as t } from './texts.ts'
import { useThread, type ThreadMail } from './useThread.ts'

/** How long someone stays at a conversation before it is read from the server. */
const settleMs = 120

interface ThreadPaneProps {
  thread: ThreadRow
  split: Split
  /** Back to the list, where there is no room for both. */
  back: (() => void) | undefined
  writing: MailWriting
}

/** A conversation beside the list, with what can be done with it. */
export function ThreadPane({ thread, split, back, writing }: ThreadPaneProps) {
  const page = appPath(thread.url)
  const [settledId] = useDebouncedValue(thread.id, settleMs)
  return (
    <aside className={frame.pane} aria-label={t.mailbox.pane}>
      <header className={frame.paneBar}>
        {back && <Tool icon={IconArrowLeft} label={t.mailbox.back} onClick={back} />}
        <span className={frame.crumb}>{t.mailbox.messages(thread.message_count)}</span>
        <span className={frame.tools}>
          <CommandTool of="mail.reply" icon={IconArrowBackUp} />
          <CommandTool of="mail.replyAll" icon={IconArrowBackUpDouble} />
          <CommandTool of="mail.forward" icon={IconArrowForwardUp} />
          {thread.in_inbox && <CommandTool of="mail.archive" icon={IconArchive} />}
          <CommandTool of="mail.later" icon={IconClock} />
          {(split === 'later' || split === 'waiting') && (
            <CommandTool of="mail.back" icon={IconInbox} />
          )}
          <CommandTool of="mail.read" icon={IconMail} />
          <CommandTool of="mail.trash" icon={IconTrash} />
          {page !== undefined && (
            <RouterLink
              to={page}
              className={frame.tool}
              aria-label={t.mailbox.open}
              title={t.mailbox.open}
            >
              <IconArrowsDiagonal size={15} aria-hidden />
            </RouterLink>
          )}
        </span>
      </header>
      <div className={frame.paneBody}>
        <h2 className={styles.heading} dir="auto" data-reading tabIndex={-1}>
          {subjectOf(thread)}
        </h2>
        <Messages
          key={thread.id}
          id={thread.id}
          isSettled={settledId === thread.id}
          writing={writing}
        />
      </div>
    </aside>
  )
}

/** Its messages, the oldest first; those that were read before are folded. */
interface MessagesProps {
  id: string
  isSettled: boolean
  writing: MailWriting
}

function Messages({ id, isSettled, writing }: MessagesProps) {
  const { messages, linked, hasMore, loadMore, error, retry } = useThread(id, isSettled)
  const last = messages?.at(-1)
  useCommands(last ? answerCommands(last, writing) : {})
  if (!messages) return error ? <Problem error={error} retry={retry} /> : <Loading />
  return (
    <>
      {linked.length > 0 && (
        <div className={styles.linked}>
          {linked.map((item) => (
            <ItemLink key={item.id} item={item} />
          ))}
        </div>
      )}
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
    </>
  )
}

/** The last message is what is answered and passed on. */
function answerCommands(last: ThreadMail, writing: MailWriting): CommandRuns {
  return {
    'mail.reply': () => writing.reply(last),
    'mail.replyAll': () => writing.replyAll(last),
    'mail.forward': () => writing.forward(last),
  }
}

/** Drafts of the conversation, and what is being written in it. */
function Answer({ threadId, writing }: { threadId: string; writing: MailWriting }) {
  const { open, close, reopen, edit, saved } = writing
  const isHere = open?.of.threadId === threadId
  return (
    <>
      <Drafts threadId={threadId} openId={isHere ? open.of.draftId : undefined} edit={edit} />
      {isHere && (
        <Composer key={open.serial} of={open.of} close={close} reopen={reopen} saved={saved} />
      )}
    </>
  )
}
