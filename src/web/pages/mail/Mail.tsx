import { VisuallyHidden } from '@mantine/core'
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { LaterMenu } from '../inbox/LaterMenu.tsx'
import { usePlace } from '../inbox/usePlace.ts'
import frame from '../inbox/inbox.module.css'
import { snooze } from './actions.ts'
import { Composer } from './compose/Composer.tsx'
import { useComposition, type MailWriting } from './compose/useComposition.ts'
import { MailList } from './MailList.tsx'
import { splits, type Split } from './splits.ts'
import { mailTexts as t } from './texts.ts'
import { ThreadPane } from './ThreadPane.tsx'
import { splitCommands, useTriage } from './useTriage.ts'
import { useThreads, type LoadedThreads } from './useThreads.ts'

/** The reader's own mail, in splits that are worked through by single keys. */
export function Mail() {
  useDocumentTitle(`${t.mailbox.title} – ${t.app.name}`)
  const { split, isOpen, setSplit, setOpen } = useMailAddress()
  const [keptId, setKeptId] = useState<string>()
  const mail = useThreads(split, keptId)
  const place = usePlace(mail.threads)
  const { entry: thread } = place
  const hasRoom = useMediaQuery('(min-width: 900px)', true, { getInitialValueInEffect: false })
  const [laterAt, setLaterAt] = useState<Element>()
  const writing = useComposition()
  const triage = { split, setSplit, setLaterAt, setOpen, setKeptId, hasRoom, place, writing }
  const open = useTriage(triage)
  const showsPane = thread !== undefined && (hasRoom || isOpen)
  return (
    <div className={frame.screen}>
      {(hasRoom || !showsPane) && <Bar split={split} setSplit={setSplit} counts={mail.counts} />}
      <div className={frame.body}>
        {(hasRoom || !showsPane) && (
          <div className={frame.list} data-alone={!thread || undefined}>
            <MailList mail={mail} split={split} index={place.index} go={place.go} open={open} />
          </div>
        )}
        {showsPane && (
          <ThreadPane
            thread={thread}
            split={split}
            back={hasRoom ? undefined : () => setOpen(false)}
            writing={writing}
          />
        )}
      </div>
      <NewMail writing={writing} shownId={showsPane ? thread.id : undefined} />
      {laterAt && thread && (
        <LaterMenu
          anchor={laterAt}
          close={() => setLaterAt(undefined)}
          choose={(until) => {
            place.act(thread.id)
            void snooze(thread, until)
          }}
        />
      )}
    </div>
  )
}

/** The split, and whether a conversation is open where there is no room beside the list: both stand in the address. */
function useMailAddress() {
  const search = useSearch({ strict: false }) as { split?: string; open?: unknown }
  const navigate = useNavigate()
  const split = splits.find((known) => known === search.split) ?? 'reply'
  const go = (to: Split, isOpen: boolean, replace: boolean) =>
    void navigate({
      to: '/mail',
      search: { ...(to === 'reply' ? {} : { split: to }), ...(isOpen ? { open: true } : {}) },
      replace,
    })
  return {
    split,
    isOpen: search.open !== undefined,
    setSplit: (to: Split) => go(to, false, true),
    setOpen: (isOpen: boolean) => go(split, isOpen, !isOpen),
  }
}

interface NewMailProps {
  writing: MailWriting
  /** The conversation that stands open: what belongs to it is written there. */
  shownId: string | undefined
}

/** A mail that belongs to no conversation that is shown. */
function NewMail({ writing: { open, close, reopen, saved }, shownId }: NewMailProps) {
  if (!open) return null
  const { threadId } = open.of
  if (threadId !== undefined && (threadId === shownId || !open.isBack)) return null
  return (
    <Dialog isOpen isWide close={close} title={t.mailbox.compose.kinds[open.of.kind]}>
      <Composer key={open.serial} of={open.of} close={close} reopen={reopen} saved={saved} />
    </Dialog>
  )
}

interface BarProps {
  split: Split
  setSplit: (split: Split) => void
  counts: LoadedThreads['counts']
}

function Bar({ split, setSplit, counts }: BarProps) {
  return (
    <header className={frame.bar}>
      <h1>{t.mailbox.title}</h1>
      <nav className={frame.tabs} aria-label={t.mailbox.which}>
        {splits.map((name) => (
          <button
            key={name}
            type="button"
            className={frame.tab}
            aria-current={name === split || undefined}
            title={t.keys.commands[splitCommands[name]]}
            onClick={() => setSplit(name)}
          >
            {t.mailbox.splits[name]}
            {counts[name] > 0 && <span className={frame.tabCount}> {counts[name]}</span>}
          </button>
        ))}
      </nav>
      <VisuallyHidden role="status">{t.mailbox.count(counts[split])}</VisuallyHidden>
    </header>
  )
}
