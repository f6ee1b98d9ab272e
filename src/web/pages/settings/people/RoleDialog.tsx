import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import type { SessionRole } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { peoplePath, type Person } from './person.ts'
import { RoleChoice } from './RoleChoice.tsx'

const texts = t.organization.people

export function RoleDialog({
  person: { id, name, role: currentRole },
  onClose,
}: {
  person: Person
  onClose: () => void
}) {
  const [role, setRole] = useState<SessionRole>(currentRole)
  const submission = useSubmission()
  const change = usePost('/web/people/:id/role', [peoplePath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      await change.mutateAsync({ id, role })
      notifySuccess(texts.roleChanged(name, texts.role[role]))
      onClose()
    })
  }
  return (
    <Modal opened onClose={onClose} title={texts.roleTitle(name)}>
      <form onSubmit={submit}>
        <Stack>
          <RoleChoice value={role} onChange={setRole} error={submission.errors.role} />
          <SubmissionError submission={submission} fields={['role']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.app.cancel}
            </Button>
            <Button type="submit" loading={submission.isBusy} disabled={role === currentRole}>
              {texts.changeRole}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
