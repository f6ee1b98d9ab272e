import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import type { SessionRole } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { Refused, useSending } from '../shared/sending.tsx'
import type { NewInvitation } from '../../../api/operations.ts'
import { invitationsPath } from './person.ts'
import { LinkDialog } from './LinkDialog.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import { SendInvitation } from './SendInvitation.tsx'

const words = t.organization.people

/** Creates an invitation, and shows its link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewInvitation>()
  if (!made) return <InviteForm onMade={setMade} onClose={onClose} />
  return (
    <LinkDialog
      title={words.invitationMade}
      text={made.email ? words.giveTo(made.email) : words.giveToAnybody}
      link={made.link}
      expiresAt={made.expires_at}
      actions={made.email && <SendInvitation id={made.id} />}
      onClose={onClose}
    />
  )
}

interface InviteFormProps {
  onMade: (invitation: NewInvitation) => void
  onClose: () => void
}

function InviteForm({ onMade, onClose }: InviteFormProps) {
  const [values, setValues] = useState({ email: '', note: '', role: 'member' as SessionRole })
  const sending = useSending()
  const create = usePost(invitationsPath, [invitationsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { email, note, role } = values
    void sending.send(async () =>
      onMade(
        await create.mutateAsync({
          role,
          ...(email.trim() === '' ? {} : { email }),
          ...(note.trim() === '' ? {} : { note }),
        }),
      ),
    )
  }
  return (
    <Modal opened onClose={onClose} title={words.invite}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.email}
            description={words.emailText}
            type="email"
            value={values.email}
            onChange={(event) => setValues({ ...values, email: event.currentTarget.value })}
            error={sending.errors.email}
            autoComplete="off"
            data-autofocus
          />
          <RoleChoice
            value={values.role}
            onChange={(role) => setValues({ ...values, role })}
            error={sending.errors.role}
          />
          <Textarea
            label={words.note}
            description={words.noteText}
            value={values.note}
            onChange={(event) => setValues({ ...values, note: event.currentTarget.value })}
            error={sending.errors.note}
            autosize
            minRows={2}
            maxLength={1000}
            dir="auto"
          />
          <Refused submission={sending} fields={Object.keys(values)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.app.cancel}
            </Button>
            <Button type="submit" loading={sending.isBusy}>
              {words.makeInvitation}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
