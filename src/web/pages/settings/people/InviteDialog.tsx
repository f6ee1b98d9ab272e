import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import type { SessionRole } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import type { NewInvitation } from '../../../api/operations.ts'
import { invitationsPath } from './person.ts'
import { LinkDialog } from './LinkDialog.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import { SendInvitation } from './SendInvitation.tsx'

const texts = t.organization.people

/** Creates an invitation, and shows its link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [invitation, setInvitation] = useState<NewInvitation>()
  if (!invitation) return <InviteForm onCreated={setInvitation} onClose={onClose} />
  return (
    <LinkDialog
      title={texts.invitationMade}
      text={invitation.email ? texts.giveTo(invitation.email) : texts.giveToAnybody}
      link={invitation.link}
      expiresAt={invitation.expires_at}
      actions={invitation.email && <SendInvitation id={invitation.id} />}
      onClose={onClose}
    />
  )
}

interface InviteFormProps {
  onCreated: (invitation: NewInvitation) => void
  onClose: () => void
}

function InviteForm({ onCreated, onClose }: InviteFormProps) {
  const [values, setValues] = useState({ email: '', note: '', role: 'member' as SessionRole })
  const submission = useSubmission()
  const create = usePost(invitationsPath, [invitationsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { email, note, role } = values
    void submission.send(async () =>
      onCreated(
        await create.mutateAsync({
          role,
          ...(email.trim() === '' ? {} : { email }),
          ...(note.trim() === '' ? {} : { note }),
        }),
      ),
    )
  }
  return (
    <Modal opened onClose={onClose} title={texts.invite}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.email}
            description={texts.emailText}
            type="email"
            value={values.email}
            onChange={(event) => setValues({ ...values, email: event.currentTarget.value })}
            error={submission.errors.email}
            autoComplete="off"
            data-autofocus
          />
          <RoleChoice
            value={values.role}
            onChange={(role) => setValues({ ...values, role })}
            error={submission.errors.role}
          />
          <Textarea
            label={texts.note}
            description={texts.noteText}
            value={values.note}
            onChange={(event) => setValues({ ...values, note: event.currentTarget.value })}
            error={submission.errors.note}
            autosize
            minRows={2}
            maxLength={1000}
            dir="auto"
          />
          <SubmissionError submission={submission} fields={Object.keys(values)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.app.cancel}
            </Button>
            <Button type="submit" loading={submission.isBusy}>
              {texts.makeInvitation}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
