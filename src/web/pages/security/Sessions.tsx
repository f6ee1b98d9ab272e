import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { post, type GetOutput } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { confirm, notifySuccess, notifyProblem } from '../../ui/confirm.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { Ago, formatDate } from '../../ui/times.tsx'
import { browserName } from './browsers.ts'

type Session = GetOutput<'/web/sessions'>['items'][number]

export function SessionList() {
  const sessions = useEndpoint('/web/sessions')
  const client = useQueryClient()
  const text = t.security.sessions
  const endSessions = async (sessions: Session[], message: string) => {
    try {
      await Promise.all(sessions.map(({ id }) => post('/web/sessions/:id/revoke', { id })))
      notifySuccess(message)
    } catch (error) {
      notifyProblem(error)
    }
    await client.invalidateQueries({ queryKey: ['web', '/web/sessions'] })
  }
  const endAll = async (others: Session[]) => {
    if (await confirm({ title: text.endAllTitle, text: text.endAllText, action: text.endAll }))
      await endSessions(others, text.endedAll)
  }
  return (
    <QueryContent query={sessions}>
      {({ items }) => {
        const others = items.filter((item) => !item.is_current)
        return (
          <>
            <ul className="rows boxed" aria-label={text.title}>
              {items
                .toSorted((a, b) => Number(b.is_current) - Number(a.is_current))
                .map((item) => (
                  <SessionRow
                    key={item.id}
                    session={item}
                    end={() => void endSessions([item], text.ended)}
                  />
                ))}
            </ul>
            {others.length === 0 ? (
              <Text size="sm" c="dimmed">
                {text.alone}
              </Text>
            ) : (
              <Group>
                <Button variant="default" onClick={() => void endAll(others)}>
                  {text.endAll}
                </Button>
              </Group>
            )}
          </>
        )
      }}
    </QueryContent>
  )
}

function SessionRow({ session, end }: { session: Session; end: () => void }) {
  const text = t.security.sessions
  const name = browserName(session.client)
  return (
    <Group component="li" px="sm" py="xs" justify="space-between" wrap="nowrap">
      <Box miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {session.is_current && (
            <Badge size="sm" variant="light" color="green">
              {text.current}
            </Badge>
          )}
        </Group>
        <Text component="div" size="sm" c="dimmed" className="dotted">
          <span>
            {text.seen} <Ago time={session.last_used_at} />
          </span>
          <span>
            {text.since} {formatDate(session.created_at)} {text.from(session.ip)}
          </span>
        </Text>
      </Box>
      {!session.is_current && (
        <Button
          size="compact-sm"
          variant="default"
          flex="0 0 auto"
          onClick={end}
          aria-label={text.endLabel(name)}
        >
          {text.end}
        </Button>
      )}
    </Group>
  )
}
