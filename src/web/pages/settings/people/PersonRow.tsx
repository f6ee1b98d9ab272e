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
import { submitWork } from '../shared/sending.tsx'
import { StateBadge, Tag } from '../shared/State.tsx'
import { LinkDialog } from './LinkDialog.tsx'
import { invitationsPath, peoplePath, type Person } from './person.ts'
import { RoleDialog } from './RoleDialog.tsx'

const words = t.organization.people

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
    last_seen_at ? words.seen(ago(last_seen_at)) : words.neverSeen,
    words.keys(live_keys),
    words.factors(has_password, passkeys),
  ]
  return (
    <Row
      title={name}
      beside={
        <>
          <Tag>{words.role[role]}</Tag>
          {is_own && <Tag>{words.you}</Tag>}
          {status !== 'active' && <StateBadge tone="off">{words.status[status]}</StateBadge>}
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
  const [isChoosing, choosing] = useDisclosure()
  const [link, setLink] = useState<{ link: string; expires_at: string }>()
  const deactivation = usePost('/web/people/:id/deactivate', [peoplePath, invitationsPath])
  const reactivation = usePost('/web/people/:id/reactivate', [peoplePath])
  const reset = usePost('/web/people/:id/reset-link')
  const deactivate = async () => {
    if (
      await confirm({
        title: words.deactivateTitle(name),
        text: words.deactivateText,
        action: words.deactivate,
      })
    )
      await submitWork(() => deactivation.mutateAsync({ id }), words.isDeactivated(name))
  }
  const makeLink = async () => {
    if (
      !(await confirm({
        title: words.resetTitle(name),
        text: words.resetText,
        action: words.resetMake,
        isDangerous: false,
      }))
    )
      return
    await submitWork(async () => setLink(await reset.mutateAsync({ id })), words.resetMade)
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={words.actionsFor(name)}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={RouterLink} to={`/people/${id}?handOver=true`}>
            {words.handOver}
          </Menu.Item>
          {status === 'active' ? (
            <>
              <Menu.Item onClick={choosing.open}>{words.changeRole}</Menu.Item>
              <Menu.Item onClick={() => void makeLink()}>{words.reset}</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => void deactivate()}>{words.deactivate}</Menu.Item>
            </>
          ) : (
            <Menu.Item
              onClick={() =>
                void submitWork(() => reactivation.mutateAsync({ id }), words.isReactivated(name))
              }
            >
              {words.reactivate}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isChoosing && <RoleDialog person={person} onClose={choosing.close} />}
      {link && (
        <LinkDialog
          title={words.resetTitle(name)}
          text={words.resetLinkText(name)}
          link={link.link}
          expiresAt={link.expires_at}
          onClose={() => setLink(undefined)}
        />
      )}
    </>
  )
}
