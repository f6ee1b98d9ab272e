import { Alert, Group, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { usePost } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Ago, formatDate } from '../../../ui/times.tsx'
import { runAction } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import {
  accountsPath,
  supportedServices,
  type ConnectedAccount,
  type AccountService,
} from './account.ts'

export function AccountServices({ account }: { account: ConnectedAccount }) {
  const { id, problem, problem_since, status, synced_back_to } = account
  const change = usePost('/web/accounts/:id', [accountsPath])
  const setService = (service: AccountService, isEnabled: boolean) =>
    void runAction(
      () => change.mutateAsync({ id, [`has_${service}`]: isEnabled }),
      isEnabled ? t.accounts.used(service) : t.accounts.unused(service),
    )
  return (
    <SettingsSection title={t.accounts.servicesTitle} description={t.accounts.servicesText}>
      {problem && (
        <Alert
          color={status === 'reauth_required' ? 'red' : 'yellow'}
          variant="light"
          icon={<IconAlertTriangle />}
        >
          <Text size="sm" fw={600}>
            {t.accounts.status[status]}
          </Text>
          <Text size="sm" dir="auto">
            {problem}
          </Text>
          {problem_since && (
            <Text size="sm">
              {t.accounts.since} <Ago time={problem_since} />
            </Text>
          )}
        </Alert>
      )}
      <Stack gap="sm" role="status">
        {supportedServices(account).map((service) => (
          <Group key={service} justify="space-between" gap="xs">
            <Switch
              label={t.accounts.serviceNames[service]}
              checked={account[`has_${service}`]}
              disabled={change.isPending}
              onChange={(event) => setService(service, event.currentTarget.checked)}
            />
            <ServiceState account={account} service={service} />
          </Group>
        ))}
      </Stack>
      {synced_back_to && (
        <Text size="sm" c="dimmed">
          {t.accounts.backTo(formatDate(synced_back_to))}
        </Text>
      )}
    </SettingsSection>
  )
}

function ServiceState({
  account,
  service,
}: {
  account: ConnectedAccount
  service: AccountService
}) {
  const { synced_at, problem } = account.services[service] ?? {}
  const isUsed = account[`has_${service}`]
  if (!isUsed || account.status === 'disabled') return null
  return (
    <Text size="sm" c="dimmed" component="span" dir="auto">
      {problem ??
        (synced_at ? (
          <>
            {t.accounts.updated} <Ago time={synced_at} />
          </>
        ) : (
          t.accounts.firstTime
        ))}
    </Text>
  )
}
