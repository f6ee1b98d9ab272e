import { Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../texts/index.ts'
import { Page } from '../../ui/Page.tsx'
import { useSsoProviders } from '../../session/sso.ts'
import { Passkeys } from './Passkeys.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Providers } from './Providers.tsx'
import { SessionList } from './Sessions.tsx'

export function Security() {
  const { title, about, password, passkeys, providers, sessions } = t.security
  const { data } = useSsoProviders()
  const hasProviders = data !== undefined && data.items.length > 0
  return (
    <Page title={title} description={about}>
      <Section title={passkeys.title} about={passkeys.about}>
        <Passkeys />
      </Section>
      <Section title={password.title} about={password.about}>
        <PasswordForm />
      </Section>
      {hasProviders && (
        <Section title={providers.title} about={providers.about}>
          <Providers />
        </Section>
      )}
      <Section title={sessions.title}>
        <SessionList />
      </Section>
    </Page>
  )
}

function Section({
  title,
  about,
  children,
}: {
  title: string
  about?: string
  children: ReactNode
}) {
  return (
    <Card withBorder component="section">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          {about && (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  )
}
