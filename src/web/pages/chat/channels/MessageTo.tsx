import { useEffect } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useMe } from '../../../session/session.ts'
import { Shown } from '../../../ui/states.tsx'
import { useChatAddress } from '../data/address.ts'
import { conversationWith, NewMessage } from './NewMessage.tsx'

interface MessageToProps {
  personId: string
  /** The reader's conversations. */
  ids: readonly string[]
  open: (channelId: string) => void
}

/** Opens the conversation with a person, or a new one if there is none. */
export function MessageTo({ personId, ids, open }: MessageToProps) {
  const me = useMe()
  const { go } = useChatAddress()
  const there = conversationWith(ids, [me.id, personId])
  const personQuery = useOperation('get_person', { person_id: personId })
  useEffect(() => {
    if (there !== undefined) go({ channelId: there }, { replace: true })
  }, [there, go])
  if (there !== undefined) return null
  return (
    <Shown query={personQuery}>
      {({ id, display_name: title }) => (
        <NewMessage key={id} ids={ids} open={open} to={[{ id, title }]} />
      )}
    </Shown>
  )
}
