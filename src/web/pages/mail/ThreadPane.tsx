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
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import { appPath, RouterLink } from '../../ui/AppLink.tsx'
import frame from '../inbox/inbox.module.css'
import { CommandTool, Tool } from '../inbox/Pane.tsx'
import { subjectOf } from './actions.ts'
import type { CompositionControls } from './compose/useComposition.ts'
import { Messages } from './conversation/Messages.tsx'
import { LabelChips } from './labels/LabelChips.tsx'
import styles from './mail.module.css'
import type { Split, ThreadRow } from './splits.ts'
import { mailTexts as t } from './texts.ts'

/** Milliseconds that a conversation must stay selected before it is loaded. */
const settleMs = 120

interface ThreadPaneProps {
  thread: ThreadRow
  split: Split
  /** Back to the list, on small screens. */
  back: (() => void) | undefined
  controls: CompositionControls
}

/** A conversation beside the list, with its actions. */
export function ThreadPane({ thread, split, back, controls }: ThreadPaneProps) {
  const page = appPath(thread.url)
  const Heading = back ? 'h1' : 'h2' // alone, it is the heading of the screen
  const [settledId] = useDebouncedValue(thread.id, settleMs)
  return (
    <aside className={frame.pane} aria-label={t.mailbox.pane}>
      <header className={frame.paneBar}>
        {back && <Tool icon={IconArrowLeft} label={t.mailbox.back} onClick={back} />}
        <span className={frame.crumb}>{t.mailbox.messages(thread.message_count)}</span>
        <span className={frame.tools}>
          <CommandTool command="mail.reply" icon={IconArrowBackUp} />
          <CommandTool command="mail.replyAll" icon={IconArrowBackUpDouble} />
          <CommandTool command="mail.forward" icon={IconArrowForwardUp} />
          {thread.in_inbox && <CommandTool command="mail.archive" icon={IconArchive} />}
          <CommandTool command="mail.later" icon={IconClock} />
          {(split === 'later' || split === 'waiting') && (
            <CommandTool command="mail.back" icon={IconInbox} />
          )}
          <CommandTool command="mail.labels" icon={IconTag} />
          <CommandTool command="mail.read" icon={IconMail} />
          <CommandTool command="mail.trash" icon={IconTrash} />
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
        <Heading className={styles.heading} dir="auto" data-reading tabIndex={-1}>
          {subjectOf(thread)}
        </Heading>
        {thread.labels.length > 0 && (
          <section className={styles.labels} aria-label={t.handling.labels.here}>
            <LabelChips labels={thread.labels} />
          </section>
        )}
        <Messages
          key={thread.id}
          id={thread.id}
          isSettled={settledId === thread.id}
          controls={controls}
        />
      </div>
    </aside>
  )
}
