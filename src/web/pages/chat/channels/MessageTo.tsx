import { useEffect } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useMe } from '../../../session/session.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { useChatAddress } from '../data/address.ts'
import { conversationWith, NewMessage } from './NewMessage.tsx'

interface MessageToProps {
  personId: string
  /** The reader's conversations. */
  ids: readonly string[]
  open: (channelId: string) => void
}

/** Opens the conversation with a person, or a new one if there is none. */
export function MessageToPerson({ personId, ids, open }: MessageToProps) {
  const me = useMe()
  const { go } = useChatAddress()
  const existingId = conversationWith(ids, [me.id, personId])
  const personQuery = useOperation('get_person', { person_id: personId })
  useEffect(() => {
    if (existingId !== undefined) go({ channelId: existingId }, { replace: true })
  }, [existingId, go])
  if (existingId !== undefined) return null
  return (
    <QueryContent query={personQuery}>
      {({ id, display_name: title }) => (
        <NewMessage key={id} ids={ids} open={open} to={[{ id, title }]} />
      )}
    </QueryContent>
  )
}
