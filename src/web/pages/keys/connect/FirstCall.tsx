import { Alert, Text } from '@mantine/core'
import { IconHourglass, IconPlugConnected } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useEndpoint } from '../../../api/queries.ts'
import { keyTexts as t } from '../texts.ts'
import { clientName, useRecentCalls } from '../calls.ts'

const pollMs = 4000

/** Waits for the first activity of a key: its connection and its first call. */
export function FirstCall({ keyId }: { keyId: string }) {
  const [hasConnected, setConnected] = useState(false)
  const key = useEndpoint(
    '/web/api-keys/:id',
    { id: keyId },
    hasConnected ? {} : { refetchInterval: pollMs },
  )
  const { data: calls = [] } = useRecentCalls(100, keyId)
  const firstCall = calls.at(-1)
  const isConnected = firstCall !== undefined || key.data?.last_used_at !== undefined
  useEffect(() => setConnected(isConnected), [isConnected])
  const text = t.keys.first
  return (
    <div role="status">
      {isConnected ? (
        <Alert
          color="green"
          variant="light"
          icon={<IconPlugConnected />}
          title={
            firstCall
              ? text.called(clientName(firstCall) ?? key.data?.last_client, firstCall.tool)
              : text.connected(key.data?.last_client)
          }
        />
      ) : (
        <Alert color="gray" variant="light" icon={<IconHourglass />} title={text.waiting}>
          <Text size="sm">{text.waitingText}</Text>
        </Alert>
      )}
    </div>
  )
}
