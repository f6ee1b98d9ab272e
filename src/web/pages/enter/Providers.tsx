import { Button, Stack, Text } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { useSsoProviders } from '../../session/sso.ts'
import { t } from '../../texts/index.ts'

/** A button for each identity provider; nothing where there is none. */
export function ProviderButtons({
  isBusy,
  onChoose,
}: {
  isBusy: boolean
  onChoose: (id: string) => void
}) {
  const providers = useSsoProviders().data?.items ?? []
  if (providers.length === 0) return null
  return (
    <Stack gap="xs">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          leftSection={<IconLogin2 size={18} />}
          disabled={isBusy}
          onClick={() => onChoose(id)}
        >
          {t.enter.signIn.provider(name)}
        </Button>
      ))}
    </Stack>
  )
}

/** Says why a person who comes back from a provider has to sign in once more. */
export function LinkNotice({ provider }: { provider: string }) {
  const { data } = useSsoProviders()
  const name = data?.items.find(({ id }) => id === provider)?.name ?? t.enter.signIn.thisProvider
  return (
    <Text size="sm" role="status">
      {t.enter.signIn.linkTo(name)}
    </Text>
  )
}
