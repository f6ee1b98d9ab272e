import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useOperation } from '../../api/queries.ts'
import { Loading, Problem } from '../../ui/states.tsx'
import { isMissing } from '../items/Found.tsx'
import { NotFound } from '../../ui/NotFound.tsx'
import { useChatAddress } from './data/address.ts'
import styles from './chat.module.css'

/** Redirects the address of a channel or message to its place in the chat. */
export function ChatRedirect() {
  const { of, id } = useParams({ strict: false }) as { of?: string; id: string }
  return id.startsWith('msg_') ? <MessageRedirect id={id} /> : <ChannelRedirect id={of ?? id} />
}

function ChannelRedirect({ id }: { id: string }) {
  const { go } = useChatAddress()
  useEffect(() => go({ channelId: id }, { replace: true }), [id, go])
  return null
}

function MessageRedirect({ id }: { id: string }) {
  const { go } = useChatAddress()
  const { data, error, refetch } = useOperation('get_message_thread', { message_id: id, limit: 1 })
  useEffect(() => {
    if (!data) return
    const { root } = data
    const isReply = root.id !== id
    const address = { channelId: root.channel.id, messageId: root.id }
    go(isReply ? { ...address, threadId: root.id, replyId: id } : address, { replace: true })
  }, [data, id, go])
  if (isMissing(error)) return <NotFound />
  return (
    <div className={styles.alone}>
      {error ? <Problem error={error} retry={() => void refetch()} /> : <Loading />}
    </div>
  )
}
