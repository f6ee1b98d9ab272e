import { Button, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { usePost } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Shown } from '../../../ui/states.tsx'
import { ago } from '../../../ui/times.tsx'
import { useEndpointList } from '../shared/lists.ts'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { submitWork } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge, Tag, type Tone } from '../shared/State.tsx'
import { invitationsPath, type Invitation } from './person.ts'
import { SendInvitation } from './SendInvitation.tsx'

const words = t.organization.people
const tones: Record<Invitation['state'], Tone> = {
  pending: 'busy',
  used: 'good',
  expired: 'off',
  revoked: 'off',
}

/** Pending invitations, and optionally ended ones. */
export function Invitations() {
  const [isAll, setAll] = useState(false)
  const invitations = useEndpointList(invitationsPath, isAll ? {} : { state: 'pending' })
  return (
    <SettingsSection
      title={words.invitations}
      actions={
        <Switch
          label={words.showEnded}
          checked={isAll}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
      }
    >
      <Shown query={invitations}>
        {() =>
          invitations.items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {isAll ? words.noInvitations : words.nonePending}
            </Text>
          ) : (
            <Stack>
              <Rows label={words.invitations}>
                {invitations.items.map((item) => (
                  <InvitationEntry key={item.id} invitation={item} />
                ))}
              </Rows>
              <More query={invitations} />
            </Stack>
          )
        }
      </Shown>
    </SettingsSection>
  )
}

function InvitationEntry({ invitation }: { invitation: Invitation }) {
  const {
    id,
    email,
    role,
    state,
    created_by,
    expires_at,
    used_at,
    used_by,
    mail,
    mail_problem,
    note,
  } = invitation
  const revocation = usePost('/web/invitations/:id/revoke', [invitationsPath])
  const revoke = async () => {
    if (await confirm({ title: words.revokeTitle, text: words.revokeText, action: words.revoke }))
      await submitWork(() => revocation.mutateAsync({ id }), words.revoked)
  }
  const when = () => {
    if (state === 'used') return words.usedBy(used_by?.name ?? '', ago(used_at!))
    return state === 'pending' ? words.expires(ago(expires_at)) : words.invitationState[state]
  }
  return (
    <Row
      title={email ?? used_by?.email ?? words.whoeverHasLink}
      beside={
        <>
          <Tag>{words.role[role]}</Tag>
          <StateBadge tone={tones[state]}>{words.invitationState[state]}</StateBadge>
        </>
      }
      actions={
        state === 'pending' && (
          <>
            {email && <SendInvitation id={id} size="xs" />}
            <Button size="xs" variant="default" onClick={() => void revoke()}>
              {words.revoke}
            </Button>
          </>
        )
      }
    >
      <div>
        {[words.by(created_by.name), when(), mail === 'none' ? '' : words.mail[mail]]
          .filter(Boolean)
          .join(' · ')}
      </div>
      {used_by?.name_note && <div>{used_by.name_note}</div>}
      {mail_problem && <div dir="auto">{mail_problem}</div>}
      {note && <div dir="auto">{note}</div>}
    </Row>
  )
}
