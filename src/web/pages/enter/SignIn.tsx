import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { Navigate, useSearch, type NavigateOptions } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { post } from '../../api/client.ts'
import { useEntering } from '../../session/entry.ts'
import { passkeyProblem, passkeysWork, signInByPasskey } from '../../session/passkeys.ts'
import { ownAddress, useSessionState, type SignedIn } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { EnterCard } from './EnterCard.tsx'
import { Refused, usePause } from './Refused.tsx'

export function SignIn() {
  const { to, ended } = useSearch({ strict: false }) as { to?: unknown; ended?: unknown }
  const enter = useEntering()
  const session = useSessionState()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<'password' | 'passkey'>()
  const { seconds, waitFor } = usePause()
  const passwordField = useRef<HTMLInputElement>(null)

  const attempt = async (way: 'password' | 'passkey', work: () => Promise<SignedIn>) => {
    setBusy(way)
    setProblem(undefined)
    try {
      await enter(await work(), to)
    } catch (error) {
      setProblem(passkeyProblem(error))
      waitFor(error)
      if (way === 'password') passwordField.current?.select()
    } finally {
      setBusy(undefined)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (seconds === 0)
      void attempt('password', () => post<SignedIn>('/web/sign-in', { email, password }))
  }
  if (session.data?.signed_in && busy === undefined)
    return <Navigate {...({ href: ownAddress(to), replace: true } as NavigateOptions)} />
  return (
    <EnterCard title={t.enter.signIn.title}>
      {ended !== undefined && (
        <Text size="sm" role="status">
          {t.enter.signIn.ended}
        </Text>
      )}
      <form onSubmit={submit}>
        <Stack>
          <Refused message={problem} seconds={seconds} />
          <TextInput
            label={t.enter.email}
            type="email"
            name="email"
            autoComplete="username webauthn"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            ref={passwordField}
            label={t.enter.password}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={busy === 'password'} disabled={seconds > 0}>
            {t.enter.signIn.action}
          </Button>
        </Stack>
      </form>
      {passkeysWork() && (
        <>
          <Divider label={t.enter.signIn.or} />
          <Button
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            loading={busy === 'passkey'}
            onClick={() => void attempt('passkey', signInByPasskey)}
          >
            {t.enter.signIn.passkey}
          </Button>
        </>
      )}
      <Text size="xs" c="dimmed">
        {t.enter.signIn.help}
      </Text>
    </EnterCard>
  )
}
