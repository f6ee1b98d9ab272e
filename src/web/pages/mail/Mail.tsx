import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LaterMenu } from '../inbox/LaterMenu.tsx'
import { usePlace } from '../inbox/usePlace.ts'
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
import { useTriage, type MailMenu } from './useTriage.ts'
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
  const place = usePlace(mail.threads)
  const { entry: thread } = place
  const picked = usePickedThreads({
    threads: mail.threads,
    split,
    here: thread,
    go: place.go,
  })
  const hasRoom = useMediaQuery('(min-width: 900px)', true, { getInitialValueInEffect: false })
  const [menu, setMenu] = useState<MailMenu>()
  const writing = useComposition()
  const triage = { split, setSplit, setMenu, setOpen, setKeptId, hasRoom, place, picked, writing }
  const open = useTriage(triage)
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
              index={place.index}
              picked={picked}
              go={place.go}
              open={open}
            />
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
      {menu?.menu === 'labels' && picked.meant.length > 0 && (
        <LabelMenu threads={picked.meant} anchor={menu.anchor} close={() => setMenu(undefined)} />
      )}
      {menu?.menu === 'later' && picked.meant.length > 0 && (
        <LaterMenu
          anchor={menu.anchor}
          close={() => setMenu(undefined)}
          choose={(until) => {
            const { meant } = picked
            confirmLarge('mail.later', meant, () => {
              if (thread) place.act(thread.id)
              void snooze(meant, until)
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
  const go = (to: MailView, isOpen: boolean, replace: boolean) =>
    void navigate({
      to: '/mail',
      search: { ...(to === 'reply' ? {} : { split: to }), ...(isOpen ? { open: true } : {}) },
      replace,
    })
  return {
    split,
    isOutbox: search.split === 'outbox',
    isOpen: search.open !== undefined,
    setSplit: (to: MailView) => go(to, false, true),
    setOpen: (isOpen: boolean) => go(split, isOpen, !isOpen),
  }
}
