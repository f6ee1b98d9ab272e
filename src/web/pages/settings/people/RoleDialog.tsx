import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import type { SessionRole } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { peoplePath, type Person } from './person.ts'
import { RoleChoice } from './RoleChoice.tsx'

const words = t.organization.people

export function RoleDialog({
  person: { id, name, role: before },
  onClose,
}: {
  person: Person
  onClose: () => void
}) {
  const [role, setRole] = useState<SessionRole>(before)
  const sending = useSending()
  const change = usePost('/web/people/:id/role', [peoplePath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => {
      await change.mutateAsync({ id, role })
      notifySuccess(words.roleChanged(name, words.role[role]))
      onClose()
    })
  }
  return (
    <Modal opened onClose={onClose} title={words.roleTitle(name)}>
      <form onSubmit={submit}>
        <Stack>
          <RoleChoice value={role} onChange={setRole} error={sending.errors.role} />
          <Refused submission={sending} fields={['role']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.app.cancel}
            </Button>
            <Button type="submit" loading={sending.isBusy} disabled={role === before}>
              {words.changeRole}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
