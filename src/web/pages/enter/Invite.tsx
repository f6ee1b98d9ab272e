import { useQuery } from '@tanstack/react-query'
import { Button, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { useSessionState } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import { formatDate } from '../../ui/times.tsx'
import { EnterCard } from './EnterCard.tsx'
import { InviteForm } from './InviteForm.tsx'

export function Invite() {
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const session = useSessionState()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => post('/web/invitations/look', { token }, signal),
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  })
  if (!invitation.data) {
    return (
      <EnterCard title={t.enter.invite.unknown}>
        {invitation.error ? <Problem error={invitation.error} /> : <Loading />}
        {invitation.error && (
          <Button component={RouterLink} to="/sign-in" variant="default">
            {t.enter.invite.toSignIn}
          </Button>
        )}
      </EnterCard>
    )
  }
  const { organization, inviter, role, note, expires_at } = invitation.data
  return (
    <EnterCard
      title={t.enter.invite.title(organization)}
      about={`${t.enter.invite.by(inviter)} ${t.enter.invite.role[role]}`}
    >
      <Stack gap="sm">
        {note && (
          <Text size="sm" dir="auto" className="code">
            {note}
          </Text>
        )}
        {session.data?.signed_in && (
          <Text size="sm">{t.enter.invite.already(session.data.person.name)}</Text>
        )}
        <InviteForm token={token} invitation={invitation.data} />
        <Text size="xs" c="dimmed">
          {t.enter.invite.expires(formatDate(expires_at))}
        </Text>
      </Stack>
    </EnterCard>
  )
}
