import { VisuallyHidden } from '@mantine/core'
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { IconClock, IconInbox, IconMoodSmile, type Icon } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { runCommand, useCommands } from '../../keys/commands.ts'
import { tooltipOf } from '../../keys/tooltip.ts'
import { notify } from '../../store/index.ts'
import { appPath, linkTo } from '../../ui/AppLink.tsx'
import { EmptyState, Loading, Problem } from '../../ui/states.tsx'
import { canTakeOver } from '../activity/approvals/take-over.ts'
import { TakenOverMail } from '../activity/approvals/TakenOver.tsx'
import { canMute, markDone, markUnread, mute, snooze } from './actions.ts'
import { tabs, type InboxEntry, type Tab } from './entries.ts'
import { InboxList } from './InboxList.tsx'
import { LaterMenu } from './LaterMenu.tsx'
import styles from './inbox.module.css'
import { Pane } from './Pane.tsx'
import { inboxTexts as t } from './texts.ts'
import { useInbox } from './useInbox.ts'
import { useListCursor } from './usePlace.ts'

/** Everything that needs the reader's attention, in one list with single-key commands. */
export function Inbox() {
  useDocumentTitle(`${t.inbox.title} – ${t.app.name}`)
  const { tab, isOpen, setTab, setOpen } = useInboxAddress()
  const inbox = useInbox(tab)
  const cursor = useListCursor(inbox.entries)
  const { entry } = cursor
  const hasRoom = useMediaQuery('(min-width: 900px)', true, { getInitialValueInEffect: false })
  const [snoozeAnchor, setLaterAt] = useState<Element>()
  useInboxCommands({ entries: inbox.entries, tab, setTab, setLaterAt, setOpen, cursor })
  const showsPane = entry !== undefined && (hasRoom || isOpen)
  const open = (selected: InboxEntry) => {
    cursor.go(selected.id)
    if (!hasRoom) setOpen(true)
  }
  return (
    <div className={styles.screen}>
      {(hasRoom || !showsPane) && <Bar tab={tab} setTab={setTab} count={inbox.entries.length} />}
      <div className={styles.body}>
        {(hasRoom || !showsPane) && (
          <div className={styles.list} data-alone={!entry || undefined}>
            <List inbox={inbox} tab={tab} index={cursor.index} go={cursor.go} open={open} />
          </div>
        )}
        {showsPane && (
          <Pane entry={entry} tab={tab} back={hasRoom ? undefined : () => setOpen(false)} />
        )}
      </div>
      <TakenOverMail />
      {snoozeAnchor && entry && (
        <LaterMenu
          anchor={snoozeAnchor}
          close={() => setLaterAt(undefined)}
          choose={(until) => {
            cursor.act(entry.id)
            void snooze(entry, until)
          }}
        />
      )}
    </div>
  )
}

/** The tab, and whether an entry is open on small screens: both are in the address. */
function useInboxAddress() {
  const search = useSearch({ strict: false }) as { tab?: string; open?: unknown }
  const navigate = useNavigate()
  const tab = tabs.find((option) => option === search.tab) ?? 'inbox'
  const go = (newTab: Tab, isOpen: boolean, replace: boolean) =>
    void navigate({
      to: '/inbox',
      search: { ...(newTab === 'inbox' ? {} : { tab: newTab }), ...(isOpen ? { open: true } : {}) },
      replace,
    })
  return {
    tab,
    isOpen: search.open !== undefined,
    setTab: (newTab: Tab) => go(newTab, false, true),
    setOpen: (isOpen: boolean) => go(tab, isOpen, !isOpen),
  }
}

interface TriageOptions {
  entries: readonly InboxEntry[]
  tab: Tab
  setTab: (tab: Tab) => void
  setLaterAt: (anchor: Element) => void
  setOpen: (isOpen: boolean) => void
  cursor: ReturnType<typeof useListCursor<InboxEntry>>
}

/** Keyboard commands of the inbox. An approval is decided, not put off. */
function useInboxCommands({
  entries,
  tab,
  setTab,
  setLaterAt,
  setOpen,
  cursor,
}: TriageOptions): void {
  const navigate = useNavigate()
  const { entry } = cursor
  const withEntry = (run: (entry: InboxEntry) => unknown) => () => {
    if (!entry) return false
    if (entry.approval)
      return notify({ id: 'inbox', text: t.inbox.decideFirst, seconds: 6, actions: [] })
    cursor.act(entry.id)
    return run(entry)
  }
  const clickButton = (selector: string) => () => {
    const button = document.querySelector<HTMLElement>(selector)
    if (!button) return false
    button.click()
    return true
  }
  useCommands({
    'list.next': () => cursor.move(1),
    'list.previous': () => cursor.move(-1),
    'list.open': () => {
      const page = entry && appPath(entry.item.url)
      return page === undefined ? false : void navigate(linkTo(page))
    },
    'list.back': () => setOpen(false),
    'inbox.done': tab === 'done' ? undefined : withEntry((chosen) => void markDone([chosen])),
    'inbox.later': withEntry((chosen) => setLaterAt(laterAnchor(chosen.id))),
    'inbox.unread': tab === 'inbox' ? undefined : withEntry((chosen) => void markUnread(chosen)),
    'inbox.mute': withEntry((chosen) =>
      canMute(chosen)
        ? void mute(chosen)
        : notify({ id: 'inbox', text: t.inbox.noMute, seconds: 6, actions: [] }),
    ),
    'inbox.all': tab === 'inbox' ? () => void markDone(entries) : undefined,
    'inbox.approve': clickButton('[data-approve]'),
    'inbox.deny': clickButton('[data-deny]'),
    'inbox.takeOver': clickButton('[data-take-over]'),
    'inbox.waiting': () => setTab('inbox'),
    'inbox.putOff': () => setTab('later'),
    'inbox.dealtWith': () => setTab('done'),
  })
}

function laterAnchor(id: string): Element {
  return (
    document.querySelector('[data-tool="inbox.later"]') ??
    document.querySelector(`[data-entry="${id}"]`) ??
    document.body
  )
}

const tabCommands = {
  inbox: 'inbox.waiting',
  later: 'inbox.putOff',
  done: 'inbox.dealtWith',
} as const

interface BarProps {
  tab: Tab
  setTab: (tab: Tab) => void
  count: number
}

function Bar({ tab, setTab, count }: BarProps) {
  return (
    <header className={styles.bar}>
      <h1>{t.inbox.title}</h1>
      <nav className={styles.tabs} aria-label={t.inbox.which}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.tab}
            aria-current={name === tab || undefined}
            title={tooltipOf(tabCommands[name])}
            onClick={() => setTab(name)}
          >
            {t.inbox.tabs[name]}
            {name === tab && count > 0 && <span className={styles.tabCount}> {count}</span>}
          </button>
        ))}
      </nav>
      <VisuallyHidden role="status">{t.inbox.count(count)}</VisuallyHidden>
      {tab === 'inbox' && count > 0 && (
        <button type="button" className={styles.button} onClick={() => runCommand('inbox.all')}>
          {t.keys.commands['inbox.all']}
        </button>
      )}
    </header>
  )
}

const emptyIcons: Readonly<Record<Tab, Icon>> = {
  inbox: IconMoodSmile,
  later: IconClock,
  done: IconInbox,
}

interface ListProps {
  inbox: ReturnType<typeof useInbox>
  tab: Tab
  index: number
  go: (id: string) => void
  open: (entry: InboxEntry) => void
}

function List({ inbox, tab, index, go, open }: ListProps) {
  const { entries, isLoaded, error, retry } = inbox
  if (entries.length === 0 && error) return <Problem error={error} retry={retry} />
  if (entries.length === 0 && !isLoaded) return <Loading />
  if (entries.length === 0)
    return (
      <EmptyState
        icon={emptyIcons[tab]}
        title={t.inbox.empty[tab].title}
        text={t.inbox.empty[tab].text}
      />
    )
  return (
    <>
      <InboxList entries={entries} tab={tab} index={index} go={go} open={open} />
      {tab === 'inbox' && <Hints hint={hintsFor(entries[index])} />}
    </>
  )
}

const hintCommands = {
  entry: ['inbox.done', 'inbox.later', 'inbox.mute', 'app.undo'],
  approval: ['inbox.approve', 'inbox.deny'],
  mail: ['inbox.approve', 'inbox.takeOver', 'inbox.deny'],
} as const

function hintsFor(entry: InboxEntry | undefined): keyof typeof hintCommands {
  if (!entry?.approval) return 'entry'
  return canTakeOver(entry.approval) ? 'mail' : 'approval'
}

/** The most important keys, for beginners. */
function Hints({ hint }: { hint: keyof typeof hintCommands }) {
  return (
    <footer className={styles.hints}>
      {hintCommands[hint].map((command) => (
        <span key={command}>
          <KeyCombo command={command} /> {t.inbox.hints[command]}
        </span>
      ))}
    </footer>
  )
}
