import { useDocumentTitle } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { errorMessage } from '../../../api/problem.ts'
import { useSignedIn } from '../../../session/session.ts'
import { notify } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { Composer } from '../compose/Composer.tsx'
import { addToDraft, type MessageDraft } from '../data/drafts.ts'
import { channelOf, isConversation, refetchChannel } from '../data/rows.ts'
import { sendDirectly } from '../data/send.ts'
import styles from './channels.module.css'
import { PeopleField } from './PeopleField.tsx'

interface Person {
  id: string
  title: string
}

interface NewMessageProps {
  /** The reader's conversations: one with the same people is opened instead of a new one. */
  ids: readonly string[]
  open: (channelId: string) => void
  /** Initial recipients. */
  to?: readonly Person[]
}

const draftKey = 'new'

/** A message to chosen people, which starts the conversation. */
export function NewMessage({ ids, open, to = [] }: NewMessageProps) {
  const { person: me } = useSignedIn()
  const [people, setPeople] = useState(to)
  useDocumentTitle(`${t.chat.directTo.title} – ${t.app.name}`)
  const existingId = conversationWith(ids, [me.id, ...people.map((person) => person.id)])
  const send = async (draft: MessageDraft) => {
    try {
      const id = await sendDirectly(
        people.map((person) => person.id),
        draft,
      )
      refetchChannel(id)
      open(id)
    } catch (error) {
      addToDraft(me.id, draftKey, draft.text)
      notify({
        text: t.chat.directTo.title,
        problem: errorMessage(error),
        seconds: 0,
        actions: [],
      })
    }
  }
  return (
    <section className={styles.newMessage} aria-label={t.chat.directTo.title}>
      <header className={styles.head}>
        <RouterLink to="/chat" className={styles.back} aria-label={t.chat.gone.back}>
          <IconArrowLeft size={18} aria-hidden />
        </RouterLink>
        <h1>{t.chat.directTo.title}</h1>
      </header>
      <div className={styles.newTo}>
        <PeopleField
          label={t.chat.directTo.to}
          people={people}
          change={setPeople}
          autoFocus={to.length === 0}
        />
        {existingId !== undefined && (
          <button type="button" className={styles.button} onClick={() => open(existingId)}>
            {t.chat.directTo.openThere}
          </button>
        )}
      </div>
      <p className={styles.quiet}>{t.chat.directTo.start}</p>
      {people.length > 0 && (
        <Composer
          draftKey={draftKey}
          label={t.chat.compose.to(people.map((person) => person.title).join(', '))}
          channelId={undefined}
          send={(draft) => void send(draft)}
          leave={() => {}}
          autoFocus={to.length > 0}
        />
      )}
    </section>
  )
}

/** The conversation of exactly these people, if any. */
export function conversationWith(
  ids: readonly string[],
  people: readonly string[],
): string | undefined {
  return ids.find((id) => {
    const channel = channelOf(id)
    if (!channel || !isConversation(channel) || people.length < 2) return false
    const members = (channel.members ?? []).map((member) => member.id)
    return members.length === people.length && people.every((person) => members.includes(person))
  })
}
