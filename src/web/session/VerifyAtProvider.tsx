import { Button, Stack, Text } from '@mantine/core'
import { t } from '../texts/index.ts'
import { useOwnProviders } from './sso.ts'

/** A button for each provider with an account of the person: signing in there again is equivalent to the password. */
export function VerifyAtProvider({ onChoose }: { onChoose: (id: string) => void }) {
  const identities = useOwnProviders().data?.items ?? []
  if (identities.length === 0) return null
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm">{t.app.verify.atProvider}</Text>
      {identities.map(({ provider: { id, name } }) => (
        <Button key={id} variant="default" fullWidth onClick={() => onChoose(id)}>
          {t.enter.signIn.provider(name)}
        </Button>
      ))}
    </Stack>
  )
}
