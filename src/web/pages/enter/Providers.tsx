import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { idTokenHintIn } from '../../session/session.ts'
import { useProviderSignOut, useSsoProviders } from '../../session/sso.ts'
import { t } from '../../texts/index.ts'

/** A button per identity provider; nothing if there are none. */
export function ProviderButtons({
  email,
  provider,
  isBusy,
  onChoose,
}: {
  /** Address as typed so far: its domain finds the provider if there are several organizations. */
  email: string
  /** The provider id in the address of the page. */
  provider: string | undefined
  isBusy: boolean
  onChoose: (id: string) => void
}) {
  const settledEmail = useDebouncedText(email)
  const domain = /@([^@\s]+\.[^@\s]+)$/.exec(settledEmail)?.[1]
  const { data } = useSsoProviders()
  const domainProviders = useSsoProviders(
    data?.by_domain
      ? {
          ...(domain === undefined ? {} : { domain }),
          ...(provider === undefined ? {} : { provider }),
        }
      : {},
  )
  const providers = (data?.by_domain ? domainProviders.data?.items : data?.items) ?? []
  if (providers.length === 0)
    return data?.by_domain ? (
      <Text size="sm" c="dimmed">
        {t.enter.signIn.byDomain}
      </Text>
    ) : null
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

/** A text once it has not changed for 300 ms. Mantine's hook would add another file to the sign-in page. */
function useDebouncedText(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), 300)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

/** After signing out: a way to sign out at the provider, too, if it supports that. */
export function ProviderSignOut({ provider }: { provider: string }) {
  const { data } = useProviderSignOut(provider)
  const hint = useIdTokenHint()
  if (data?.location === undefined) return null
  const location = new URL(data.location)
  if (hint !== undefined) location.searchParams.set('id_token_hint', hint)
  return (
    <Text size="sm" role="status">
      {t.enter.signIn.left(data?.name ?? '')}{' '}
      <Anchor href={location.href} size="sm" underline="always">
        {t.enter.signIn.leave(data?.name ?? '')}
      </Anchor>
    </Text>
  )
}

/** The ID token in the address of the page, which is then removed from the address and the browser history. */
function useIdTokenHint(): string | undefined {
  const [hint] = useState(() => idTokenHintIn(window.location.hash))
  useEffect(() => {
    if (hint === undefined) return
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', pathname + search)
  }, [hint])
  return hint
}

/** Explains why a person returning from a provider has to sign in once more. */
export function LinkNotice({ provider }: { provider: string }) {
  const { data } = useSsoProviders({ provider })
  const name = data?.items.find(({ id }) => id === provider)?.name ?? t.enter.signIn.thisProvider
  return (
    <Text size="sm" role="status">
      {t.enter.signIn.linkTo(name)}
    </Text>
  )
}
