import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useEndpoint, usePost } from '../../api/queries.ts'
import type { SsoIdentity } from '../../api/operations.ts'
import { startSso, useSsoProviders } from '../../session/sso.ts'
import { t } from '../../texts/index.ts'
import { confirm, notifyProblem, notifySuccess } from '../../ui/confirm.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'

const identitiesPath = '/web/sso/identities'
const texts = t.security.providers

/** The person's accounts at identity providers, and providers that can still be connected. */
export function Providers() {
  const identities = useEndpoint(identitiesPath)
  const providers = useSsoProviders().data?.items ?? []
  return (
    <QueryContent query={identities}>
      {({ items }) => {
        const connected = new Set(items.map((item) => item.provider.id))
        return (
          <Stack gap="sm">
            {items.length === 0 ? (
              <Text size="sm">{texts.none}</Text>
            ) : (
              <ul className="rows boxed" aria-label={texts.title}>
                {items.map((item) => (
                  <ConnectedProvider key={item.provider.id} identity={item} />
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
                    {texts.connect(name)}
                  </Button>
                ))}
            </Group>
          </Stack>
        )
      }}
    </QueryContent>
  )
}

function ConnectedProvider({
  identity: { provider, email, last_used_at },
}: {
  identity: SsoIdentity
}) {
  const remove = usePost('/web/sso/identities/:id/remove', [identitiesPath])
  const confirmRemoval = async () => {
    const { removeTitle, removeText: text, remove: action } = texts
    if (await confirm({ title: removeTitle(provider.name), text, action }))
      remove.mutate(
        { id: provider.id },
        { onSuccess: () => notifySuccess(texts.removed(provider.name)), onError: notifyProblem },
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
            {texts.used} <Ago time={last_used_at} />
          </span>
        </Text>
      </Box>
      <Button
        size="xs"
        variant="default"
        aria-label={texts.removeNamed(provider.name)}
        loading={remove.isPending}
        onClick={() => void confirmRemoval()}
      >
        {texts.remove}
      </Button>
    </Group>
  )
}
