import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { post } from '../api/client.ts'
import { fieldErrors } from '../api/problem.ts'
import { t } from '../texts/index.ts'
import { startSso } from './sso.ts'
import { VerifyAtProvider } from './VerifyAtProvider.tsx'
import { passkeyProblem, supportsPasskeys, verifyByPasskey } from './passkeys.ts'

interface VerifyDialogProps {
  isOpen: boolean
  /** Called after confirmation or cancellation. */
  onEnd: (isConfirmed: boolean) => void
}

/** Asks the person to verify their identity. */
export function VerifyDialog({ isOpen, onEnd: finish }: VerifyDialogProps) {
  const { password, setPassword, problem, isBusy, end, confirm, confirmAt } =
    useVerification(finish)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void confirm(() => post('/web/verify', { password }))
  }
  // By default, the dialog would close first, and the one behind it would receive the same key and close, too.
  const onEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') end(false)
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => end(false)}
      closeOnEscape={false}
      onKeyDown={onEscape}
      title={t.app.verify.title}
      zIndex={400}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t.app.verify.text}</Text>
          <PasswordInput
            label={t.app.verify.password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={problem}
            autoComplete="current-password"
            required
            data-autofocus
          />
          <Group justify="flex-end">
            {supportsPasskeys() && (
              <Button
                variant="default"
                loading={isBusy}
                onClick={() => void confirm(verifyByPasskey)}
              >
                {t.app.verify.passkey}
              </Button>
            )}
            <Button type="submit" loading={isBusy}>
              {t.app.verify.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
      <VerifyAtProvider onChoose={(id) => void confirmAt(id)} />
    </Modal>
  )
}

function useVerification(finish: (isConfirmed: boolean) => void) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const end = (isConfirmed: boolean) => {
    setPassword('')
    setProblem(undefined)
    finish(isConfirmed)
  }
  const confirm = async (verify: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await verify()
      end(true)
    } catch (error) {
      setProblem(fieldErrors(error).password ?? passkeyProblem(error))
    } finally {
      setBusy(false)
    }
  }
  const confirmAtProvider = async (providerId: string) => {
    setProblem(undefined)
    const { pathname, search, hash } = window.location
    try {
      await startSso(providerId, 'verify', pathname + search + hash)
    } catch (error) {
      setProblem(passkeyProblem(error))
    }
  }
  return { password, setPassword, problem, isBusy, end, confirm, confirmAt: confirmAtProvider }
}
