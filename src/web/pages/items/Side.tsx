import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { AppLink, appPath } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Ago } from '../../ui/times.tsx'
import { QueryContent } from '../../ui/states.tsx'

/** Side panel of an item: related items, and assistant activity on it. */
export function Side({ id }: { id: string }) {
  return (
    <Stack gap="lg" component="aside" aria-label={t.items.side.related}>
      <Related id={id} />
      <Calls id={id} />
    </Stack>
  )
}

function SideSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

function Nothing({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function Related({ id }: { id: string }) {
  const related = useOperation('find_related_items', { item_id: id, limit: 8 })
  return (
    <SideSection title={t.items.side.related}>
      <QueryContent query={related}>
        {({ items }) => {
          const unlinked = items.filter(({ links }) => links === undefined) // links are shown above
          if (unlinked.length === 0) return <Nothing>{t.items.side.noRelated}</Nothing>
          return (
            <Stack gap="xs" component="ul" className="plain-list">
              {unlinked.map((entry) => (
                <li key={entry.item.id}>
                  <ItemLink item={entry.item} />
                  <Text size="xs" c="dimmed">
                    {entry.why}
                  </Text>
                </li>
              ))}
            </Stack>
          )
        }}
      </QueryContent>
    </SideSection>
  )
}

function Calls({ id }: { id: string }) {
  const calls = useOperation('list_api_calls', { item_id: id, limit: 10 })
  return (
    <SideSection title={t.items.side.calls}>
      <QueryContent query={calls}>
        {({ items }) => {
          const assistantCalls = items.filter((item) => item.transport !== 'web').slice(0, 5)
          if (assistantCalls.length === 0) return <Nothing>{t.items.side.noCalls}</Nothing>
          return (
            <Stack gap="xs" component="ul" className="plain-list">
              {assistantCalls.map((call) => (
                <li key={call.id}>
                  <AppLink to={appPath(call.url) ?? '/activity'} size="sm">
                    {t.items.side.call(call.tool, call.key.title)}
                  </AppLink>
                  <Text size="xs" c="dimmed">
                    <Ago time={call.at} />
                  </Text>
                </li>
              ))}
            </Stack>
          )
        }}
      </QueryContent>
    </SideSection>
  )
}
