import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LaterMenu } from '../inbox/LaterMenu.tsx'
import { useListCursor } from '../inbox/usePlace.ts'
import frame from '../inbox/inbox.module.css'
import { snooze } from './actions.ts'
import { NewMail } from './compose/NewMail.tsx'
import { useComposition } from './compose/useComposition.ts'
import { LabelMenu } from './labels/LabelMenu.tsx'
import { MailBar } from './MailBar.tsx'
import { MailList } from './MailList.tsx'
import { MailOutbox } from './outbox/MailOutbox.tsx'
import { splits, type MailView } from './splits.ts'
import { mailTexts as t } from './texts.ts'
import { confirmLarge } from './picked/large.ts'
import { usePickedThreads } from './picked/usePickedThreads.ts'
import { ThreadPane } from './ThreadPane.tsx'
import { useMailCommands, type MailMenu } from './useTriage.ts'
import { useThreads } from './useThreads.ts'

/** The reader's mail: conversations, and outgoing mail. */
export function Mail() {
  useDocumentTitle(`${t.mailbox.title} – ${t.app.name}`)
  const address = useMailAddress()
  return address.isOutbox ? (
    <MailOutbox show={address.setSplit} />
  ) : (
    <Conversations address={address} />
  )
}

/** Conversations, in splits with single-key commands. */
function Conversations({ address }: { address: ReturnType<typeof useMailAddress> }) {
  const { split, isOpen, setSplit, setOpen } = address
  const [keptId, setKeptId] = useState<string>()
  const mail = useThreads(split, keptId)
  const cursor = useListCursor(mail.threads)
  const { entry: thread } = cursor
  const picked = usePickedThreads({
    threads: mail.threads,
    split,
    current: thread,
    go: cursor.go,
  })
  const hasRoom = useMediaQuery('(min-width: 900px)', true, { getInitialValueInEffect: false })
  const [menu, setMenu] = useState<MailMenu>()
  const controls = useComposition()
  const triage = { split, setSplit, setMenu, setOpen, setKeptId, hasRoom, cursor, picked, controls }
  const open = useMailCommands(triage)
  const showsPane = thread !== undefined && (hasRoom || isOpen)
  return (
    <div className={frame.screen}>
      {(hasRoom || !showsPane) && <MailBar view={split} show={setSplit} counts={mail.counts} />}
      <div className={frame.body}>
        {(hasRoom || !showsPane) && (
          <div className={frame.list} data-alone={!thread || undefined}>
            <MailList
              mail={mail}
              split={split}
              index={cursor.index}
              picked={picked}
              go={cursor.go}
              open={open}
            />
          </div>
        )}
        {showsPane && (
          <ThreadPane
            thread={thread}
            split={split}
            back={hasRoom ? undefined : () => setOpen(false)}
            controls={controls}
          />
        )}
      </div>
      <NewMail controls={controls} shownId={showsPane ? thread.id : undefined} />
      {menu?.menu === 'labels' && picked.targets.length > 0 && (
        <LabelMenu threads={picked.targets} anchor={menu.anchor} close={() => setMenu(undefined)} />
      )}
      {menu?.menu === 'later' && picked.targets.length > 0 && (
        <LaterMenu
          anchor={menu.anchor}
          close={() => setMenu(undefined)}
          choose={(until) => {
            const { targets } = picked
            confirmLarge('mail.later', targets, () => {
              if (thread) cursor.act(thread.id)
              void snooze(targets, until)
              picked.clear()
            })
          }}
        />
      )}
    </div>
  )
}

/** The split, and whether a conversation is open on small screens: both are in the address. */
function useMailAddress() {
  const search = useSearch({ strict: false }) as { split?: string; open?: unknown }
  const navigate = useNavigate()
  const split = splits.find((option) => option === search.split) ?? 'reply'
  const go = (view: MailView, isOpen: boolean, replace: boolean) =>
    void navigate({
      to: '/mail',
      search: { ...(view === 'reply' ? {} : { split: view }), ...(isOpen ? { open: true } : {}) },
      replace,
    })
  return {
    split,
    isOutbox: search.split === 'outbox',
    isOpen: search.open !== undefined,
    setSplit: (view: MailView) => go(view, false, true),
    setOpen: (isOpen: boolean) => go(split, isOpen, !isOpen),
  }
}
