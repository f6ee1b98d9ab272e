import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useEndpoint, usePost } from '../../api/queries.ts'
import type { SsoIdentity } from '../../api/operations.ts'
import { startSso, useSsoProviders } from '../../session/sso.ts'
import { t } from '../../texts/index.ts'
import { confirm, notifyProblem, notifySuccess } from '../../ui/confirm.tsx'
import { Shown } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'

const identitiesPath = '/web/sso/identities'
const words = t.security.providers

/** The person's accounts at identity providers, and providers that can still be connected. */
export function Providers() {
  const identities = useEndpoint(identitiesPath)
  const providers = useSsoProviders().data?.items ?? []
  return (
    <Shown query={identities}>
      {({ items }) => {
        const connected = new Set(items.map((item) => item.provider.id))
        return (
          <Stack gap="sm">
            {items.length === 0 ? (
              <Text size="sm">{words.none}</Text>
            ) : (
              <ul className="rows boxed" aria-label={words.title}>
                {items.map((item) => (
                  <Connected key={item.provider.id} identity={item} />
                ))}
              </ul>
            )}
            <Group>
              {providers
                .filter(({ id }) => !connected.has(id))
                .map(({ id, name }) => (
                  <Button
                    key={id}
                    variant="default"
                    onClick={() =>
                      void startSso(id, 'link', '/settings/security').catch(notifyProblem)
                    }
                  >
                    {words.connect(name)}
                  </Button>
                ))}
            </Group>
          </Stack>
        )
      }}
    </Shown>
  )
}

function Connected({ identity: { provider, email, last_used_at } }: { identity: SsoIdentity }) {
  const remove = usePost('/web/sso/identities/:id/remove', [identitiesPath])
  const ask = async () => {
    const { removeTitle, removeText: text, remove: action } = words
    if (await confirm({ title: removeTitle(provider.name), text, action }))
      remove.mutate(
        { id: provider.id },
        { onSuccess: () => notifySuccess(words.removed(provider.name)), onError: notifyProblem },
      )
  }
  return (
    <Group component="li" px="sm" py="xs" justify="space-between" wrap="nowrap">
      <Box miw={0}>
        <Text size="sm" fw={600} dir="auto">
          {provider.name}
        </Text>
        <Text component="div" size="sm" c="dimmed" className="dotted">
          {email !== null && <span>{email}</span>}
          <span>
            {words.used} <Ago at={last_used_at} />
          </span>
        </Text>
      </Box>
      <Button
        size="xs"
        variant="default"
        aria-label={words.removeNamed(provider.name)}
        loading={remove.isPending}
        onClick={() => void ask()}
      >
        {words.remove}
      </Button>
    </Group>
  )
}
