import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../api/client.ts'
import { storeRows } from '../../../store/index.ts'
import { isMissing } from '../../items/Found.tsx'
import { useChannel } from './channels.ts'

/**
 * The channel of the address: one that the reader is in, or could join. Closes immediately when the reader is removed
 * from it.
 */
export function useOpenedChannel(id: string, isReady: boolean) {
  const channel = useChannel(id)
  const wasAvailable = useRef(false)
  useEffect(() => {
    if (channel) wasAvailable.current = true
  }, [channel])
  const { error } = useQuery({
    queryKey: ['chat channel', id],
    queryFn: async ({ signal }) => {
      const channel = await call('get_channel', { channel_id: id }, signal)
      storeRows('channel', [channel])
      return channel.id
    },
    enabled: isReady && !channel && !wasAvailable.current,
    retry: false,
    staleTime: 0,
  })
  return { channel, error, isMissing: isMissing(error), isGone: wasAvailable.current && !channel }
}
