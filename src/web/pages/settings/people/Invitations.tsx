import { Button, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { usePost } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { ago } from '../../../ui/times.tsx'
import { useEndpointList } from '../shared/lists.ts'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { runAction } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge, Tag, type Tone } from '../shared/State.tsx'
import { invitationsPath, type Invitation } from './person.ts'
import { SendInvitation } from './SendInvitation.tsx'

const texts = t.organization.people
const tones: Record<Invitation['state'], Tone> = {
  pending: 'busy',
  used: 'good',
  expired: 'off',
  revoked: 'off',
}

/** Pending invitations, and optionally ended ones. */
export function Invitations() {
  const [isShowingAll, setShowingAll] = useState(false)
  const invitations = useEndpointList(invitationsPath, isShowingAll ? {} : { state: 'pending' })
  return (
    <SettingsSection
      title={texts.invitations}
      actions={
        <Switch
          label={texts.showEnded}
          checked={isShowingAll}
          onChange={(event) => setShowingAll(event.currentTarget.checked)}
        />
      }
    >
      <QueryContent query={invitations}>
        {() =>
          invitations.items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {isShowingAll ? texts.noInvitations : texts.nonePending}
            </Text>
          ) : (
            <Stack>
              <Rows label={texts.invitations}>
                {invitations.items.map((item) => (
                  <InvitationEntry key={item.id} invitation={item} />
                ))}
              </Rows>
              <More query={invitations} />
            </Stack>
          )
        }
      </QueryContent>
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
    if (await confirm({ title: texts.revokeTitle, text: texts.revokeText, action: texts.revoke }))
      await runAction(() => revocation.mutateAsync({ id }), texts.revoked)
  }
  const timeText = () => {
    if (state === 'used') return texts.usedBy(used_by?.name ?? '', ago(used_at!))
    return state === 'pending' ? texts.expires(ago(expires_at)) : texts.invitationState[state]
  }
  return (
    <Row
      title={email ?? used_by?.email ?? texts.whoeverHasLink}
      badge={
        <>
          <Tag>{texts.role[role]}</Tag>
          <StateBadge tone={tones[state]}>{texts.invitationState[state]}</StateBadge>
        </>
      }
      actions={
        state === 'pending' && (
          <>
            {email && <SendInvitation id={id} size="xs" />}
            <Button size="xs" variant="default" onClick={() => void revoke()}>
              {texts.revoke}
            </Button>
          </>
        )
      }
    >
      <div>
        {[texts.by(created_by.name), timeText(), mail === 'none' ? '' : texts.mail[mail]]
          .filter(Boolean)
          .join(' · ')}
      </div>
      {used_by?.name_note && <div>{used_by.name_note}</div>}
      {mail_problem && <div dir="auto">{mail_problem}</div>}
      {note && <div dir="auto">{note}</div>}
    </Row>
  )
}
