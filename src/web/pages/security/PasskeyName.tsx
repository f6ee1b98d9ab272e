import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { post } from '../../api/client.ts'
import { fieldErrors } from '../../api/problem.ts'
import { addPasskey, passkeyProblem } from '../../session/passkeys.ts'
import { t } from '../../texts/index.ts'
import { notifySuccess } from '../../ui/confirm.tsx'
import { browserName } from './browsers.ts'
import type { Passkey } from '../../api/operations.ts'

/** Names a passkey: a new one, which the browser then creates, or an existing one. */
export function PasskeyName({
  passkey,
  close,
}: {
  passkey: Passkey | undefined
  close: () => void
}) {
  const client = useQueryClient()
  const [name, setName] = useState(passkey?.name ?? browserName(navigator.userAgent))
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const text = t.security.passkeys
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      if (passkey) await post('/web/passkeys/:id', { id: passkey.id, name })
      else await addPasskey(name)
      notifySuccess(passkey ? t.app.saved : text.done(name))
      await client.invalidateQueries({ queryKey: ['web', '/web/passkeys'] })
      close()
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const fieldError = fieldErrors(problem).name
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={!isBusy}
      title={passkey ? text.renameTitle : text.add}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {problem !== undefined && fieldError === undefined && (
            <Alert color="red" variant="light" role="alert">
              {passkeyProblem(problem)}
            </Alert>
          )}
          <TextInput
            label={text.name}
            description={text.nameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={fieldError}
            required
            autoComplete="off"
            dir="auto"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              {passkey ? t.app.save : text.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
