import {
  IconArrowLeft,
  IconArrowsDiagonal,
  IconBellOff,
  IconCheck,
  IconClock,
  IconMailbox,
  type Icon,
} from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { runCommand } from '../../keys/commands.ts'
import type { CommandId } from '../../keys/keymap.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import { appPath, RouterLink } from '../../ui/AppLink.tsx'
import { ItemIcon } from '../../ui/ItemLink.tsx'
import { Loading } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'
import { Face } from '../../ui/work/Who.tsx'
import { ApprovalCard } from '../activity/approvals/ApprovalCard.tsx'
import type { Approval } from '../activity/approvals/approvals.ts'
import { isMail } from '../activity/approvals/MailPreview.tsx'
import { canMute } from './actions.ts'
import type { InboxEntry, Tab } from './entries.ts'
import styles from './inbox.module.css'
import { inboxTexts as t } from './texts.ts'

const ItemView = lazy(() =>
  import('../items/peek/ItemView.tsx').then((module) => ({ default: module.ItemView })),
)

interface PaneProps {
  entry: InboxEntry
  tab: Tab
  /** Back to the list, on small screens. */
  back: (() => void) | undefined
}

/** The item of an entry, its notifications, and its actions. */
export function Pane({ entry, tab, back }: PaneProps) {
  const { item, approval } = entry
  return (
    <aside className={styles.pane} aria-label={t.inbox.pane}>
      <header className={styles.paneBar}>
        {back && <Tool icon={IconArrowLeft} label={t.inbox.back} onClick={back} />}
        <span className={styles.crumb}>
          {!approval && <ItemIcon type={item.type} size={14} />}
          <span dir="auto">
            {approval ? t.inbox.approval : (item.key ?? t.items.kind(item.type))}
          </span>
        </span>
        <Tools entry={entry} tab={tab} />
      </header>
      <div className={styles.paneBody}>
        {approval ? (
          <>
            <ApprovalCard key={approval.id} approval={approval} isPlain />
            {!isMail(approval.tool) && <ApprovalItems approval={approval} />}
          </>
        ) : (
          <>
            <Reasons entry={entry} />
            <Suspense fallback={<Loading />}>
              <ItemView key={item.id} item={item} />
            </Suspense>
          </>
        )}
      </div>
    </aside>
  )
}

const maxItems = 3

/** The current state of the items named by a waiting call: this is what would be sent outside. */
function ApprovalItems({ approval: { items } }: { approval: Approval }) {
  if (items.length === 0) return null
  return (
    <section className={styles.about} aria-label={t.inbox.about}>
      {items.slice(0, maxItems).map((item) => (
        <Suspense key={item.id} fallback={<Loading />}>
          <ItemView item={item} />
        </Suspense>
      ))}
    </section>
  )
}

function Tools({ entry, tab }: { entry: InboxEntry; tab: Tab }) {
  const { item, approval } = entry
  const page = appPath(item.url)
  return (
    <span className={styles.tools}>
      {!approval && tab !== 'done' && <CommandTool command="inbox.done" icon={IconCheck} />}
      {!approval && <CommandTool command="inbox.later" icon={IconClock} />}
      {!approval && tab !== 'inbox' && <CommandTool command="inbox.unread" icon={IconMailbox} />}
      {canMute(entry) && <CommandTool command="inbox.mute" icon={IconBellOff} />}
      {page !== undefined && (
        <RouterLink
          to={page}
          className={styles.tool}
          aria-label={t.inbox.open}
          title={tooltipOf('list.open', t.inbox.open)}
        >
          <IconArrowsDiagonal size={15} aria-hidden />
        </RouterLink>
      )}
    </span>
  )
}

/** A button for a command with a key. */
export function CommandTool({ command, icon }: { command: CommandId; icon: Icon }) {
  return (
    <Tool
      icon={icon}
      label={t.keys.commands[command]}
      onClick={() => runCommand(command)}
      name={command}
    />
  )
}

interface ToolProps {
  icon: Icon
  label: string
  onClick: () => void
  name?: string
}

export function Tool({ icon: Shape, label, onClick, name }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      onClick={onClick}
      aria-label={label}
      title={label}
      data-tool={name}
    >
      <Shape size={16} stroke={1.7} aria-hidden />
    </button>
  )
}

const maxReasons = 5

/** Why the entry is in the inbox, latest first. */
function Reasons({ entry: { notices } }: { entry: InboxEntry }) {
  const moreCount = notices.length - maxReasons
  return (
    <ul className={styles.reasons} aria-label={t.inbox.reasons}>
      {notices.slice(0, maxReasons).map((notice) => (
        <li key={notice.id}>
          {notice.actor && <Face id={notice.actor.id} name={notice.actor.title} size={18} />}
          <span dir="auto">{notice.text}</span>
          <span className={styles.when}>
            <Ago time={notice.created_at} />
          </span>
        </li>
      ))}
      {moreCount > 0 && <li className={styles.when}>{t.inbox.moreReasons(moreCount)}</li>}
    </ul>
  )
}
