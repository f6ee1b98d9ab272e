import { Button } from '@mantine/core'
import { usePost, useEndpoint } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { runAction } from '../shared/sending.tsx'
import { invitationsPath } from './person.ts'

const texts = t.organization.people

/** Mails an invitation, if this workspace can send mail. */
export function SendInvitation({ id, size = 'sm' }: { id: string; size?: 'xs' | 'sm' }) {
  const { data } = useEndpoint(invitationsPath, { limit: 1 })
  const send = usePost('/web/invitations/:id/send', [invitationsPath])
  if (!data?.can_mail) return null
  return (
    <Button
      variant="default"
      size={size}
      loading={send.isPending}
      onClick={() => void runAction(() => send.mutateAsync({ id }), texts.mailed)}
    >
      {texts.sendMail}
    </Button>
  )
}
