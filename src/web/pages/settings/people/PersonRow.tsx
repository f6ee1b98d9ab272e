import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { usePost } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { ago } from '../../../ui/times.tsx'
import { Row } from '../shared/Rows.tsx'
import { runAction } from '../shared/sending.tsx'
import { StateBadge, Tag } from '../shared/State.tsx'
import { LinkDialog } from './LinkDialog.tsx'
import { invitationsPath, peoplePath, type Person } from './person.ts'
import { RoleDialog } from './RoleDialog.tsx'

const texts = t.organization.people

export function PersonRow({ person }: { person: Person }) {
  const {
    name,
    email,
    title,
    role,
    status,
    is_own,
    last_seen_at,
    live_keys,
    has_password,
    passkeys,
  } = person
  const facts = [
    email,
    title,
    last_seen_at ? texts.seen(ago(last_seen_at)) : texts.neverSeen,
    texts.keys(live_keys),
    texts.factors(has_password, passkeys),
  ]
  return (
    <Row
      title={name}
      badge={
        <>
          <Tag>{texts.role[role]}</Tag>
          {is_own && <Tag>{texts.you}</Tag>}
          {status !== 'active' && <StateBadge tone="off">{texts.status[status]}</StateBadge>}
        </>
      }
      actions={is_own ? undefined : <PersonActions person={person} />}
    >
      {facts.filter(Boolean).join(' · ')}
    </Row>
  )
}

function PersonActions({ person }: { person: Person }) {
  const { id, name, status } = person
  const [isChoosing, roleDialog] = useDisclosure()
  const [link, setLink] = useState<{ link: string; expires_at: string }>()
  const deactivation = usePost('/web/people/:id/deactivate', [peoplePath, invitationsPath])
  const reactivation = usePost('/web/people/:id/reactivate', [peoplePath])
  const reset = usePost('/web/people/:id/reset-link')
  const deactivate = async () => {
    if (
      await confirm({
        title: texts.deactivateTitle(name),
        text: texts.deactivateText,
        action: texts.deactivate,
      })
    )
      await runAction(() => deactivation.mutateAsync({ id }), texts.isDeactivated(name))
  }
  const createResetLink = async () => {
    if (
      !(await confirm({
        title: texts.resetTitle(name),
        text: texts.resetText,
        action: texts.resetMake,
        isDangerous: false,
      }))
    )
      return
    await runAction(async () => setLink(await reset.mutateAsync({ id })), texts.resetMade)
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={texts.actionsFor(name)}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={RouterLink} to={`/people/${id}?handOver=true`}>
            {texts.handOver}
          </Menu.Item>
          {status === 'active' ? (
            <>
              <Menu.Item onClick={roleDialog.open}>{texts.changeRole}</Menu.Item>
              <Menu.Item onClick={() => void createResetLink()}>{texts.reset}</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => void deactivate()}>{texts.deactivate}</Menu.Item>
            </>
          ) : (
            <Menu.Item
              onClick={() =>
                void runAction(() => reactivation.mutateAsync({ id }), texts.isReactivated(name))
              }
            >
              {texts.reactivate}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isChoosing && <RoleDialog person={person} onClose={roleDialog.close} />}
      {link && (
        <LinkDialog
          title={texts.resetTitle(name)}
          text={texts.resetLinkText(name)}
          link={link.link}
          expiresAt={link.expires_at}
          onClose={() => setLink(undefined)}
        />
      )}
    </>
  )
}
