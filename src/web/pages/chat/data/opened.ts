import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../api/client.ts'
import { takeRows } from '../../../store/index.ts'
import { isMissing } from '../../items/Found.tsx'
import { useChannel } from './channels.ts'

/**
 * The channel of the address: one that the reader is in, or could join. Closes immediately when the reader is removed
 * from it.
 */
export function useOpenedChannel(id: string, isReady: boolean) {
  const channel = useChannel(id)
  const wasThere = useRef(false)
  useEffect(() => {
    if (channel) wasThere.current = true
  }, [channel])
  const { error } = useQuery({
    queryKey: ['chat channel', id],
    queryFn: async ({ signal }) => {
      const channel = await call('get_channel', { channel_id: id }, signal)
      takeRows('channel', [channel])
      return channel.id
    },
    enabled: isReady && !channel && !wasThere.current,
    retry: false,
    staleTime: 0,
  })
  return { channel, error, isMissing: isMissing(error), isGone: wasThere.current && !channel }
}
