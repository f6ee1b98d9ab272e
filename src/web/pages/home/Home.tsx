import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSignedIn } from '../../session/session.ts'
import { destinationsFor } from '../../shell/destinations.ts'
import { t } from '../../texts/index.ts'
import { AppLink, RouterLink } from '../../ui/AppLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { Shown } from '../../ui/states.tsx'
import { isLive, useKeys } from '../keys/keys.ts'
import { RecentCalls } from '../keys/RecentCalls.tsx'
import { Waiting } from './Waiting.tsx'

export function Home() {
  const { person } = useSignedIn()
  const keys = useKeys('me')
  return (
    <Page title={t.home.greeting(person.name)}>
      <Shown of={keys}>
        {(all) => {
          if (!all.some(isLive)) return <First />
          return (
            <>
              <Waiting keys={all} />
              <Section
                title={t.home.calls.title}
                more={<AppLink to="/activity">{t.home.calls.all}</AppLink>}
              >
                <RecentCalls limit={8} empty={t.home.calls.empty} />
              </Section>
            </>
          )
        }}
      </Shown>
      <Section title={t.home.places}>
        <Places />
      </Section>
    </Page>
  )
}

/** Who has no key yet is led to the first. */
function First() {
  return (
    <Card withBorder p="lg">
      <Group gap="md" wrap="nowrap" align="flex-start">
        <IconRobot size={32} aria-hidden />
        <Stack gap="xs" align="flex-start">
          <Title order={2}>{t.home.first.title}</Title>
          <Text size="sm">{t.home.first.text}</Text>
          <Button component={RouterLink} to="/welcome">
            {t.home.first.action}
          </Button>
        </Stack>
      </Group>
    </Card>
  )
}

function Section({
  title,
  more,
  children,
}: {
  title: string
  more?: ReactNode
  children: ReactNode
}) {
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={2} size="h3">
          {title}
        </Title>
        {more && <Text size="sm">{more}</Text>}
      </Group>
      {children}
    </Stack>
  )
}

function Places() {
  const { person } = useSignedIn()
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4 }} spacing="sm">
      {destinationsFor(person.role)
        .filter((destination) => destination.to !== '/')
        .map(({ to, label, icon: Shape }) => (
          <Card key={to} component={RouterLink} to={to} withBorder p="sm" className="row-link">
            <Group gap="xs" wrap="nowrap">
              <Shape size={18} aria-hidden />
              <Text size="sm">{label}</Text>
            </Group>
          </Card>
        ))}
    </SimpleGrid>
  )
}
