import { Button, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useIsAdmin } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { useEndpointList } from '../shared/lists.ts'
import { More } from '../shared/More.tsx'
import { Rows } from '../shared/Rows.tsx'
import { Invitations } from './Invitations.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { PersonRow } from './PersonRow.tsx'
import { peoplePath } from './person.ts'

const words = t.organization.people

/** Members and invitations of the organization; for administrators. */
export function People() {
  const isAdmin = useIsAdmin()
  const [isInviting, inviting] = useDisclosure()
  if (!isAdmin) return <AdminsOnly title={words.title} />
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Button leftSection={<IconUserPlus size={16} />} onClick={inviting.open}>
          {words.invite}
        </Button>
      }
    >
      <Members />
      <Invitations />
      {isInviting && <InviteDialog onClose={inviting.close} />}
    </Page>
  )
}

function Members() {
  const [status, setStatus] = useState<'active' | 'deactivated'>('active')
  const people = useEndpointList(peoplePath, { status })
  return (
    <>
      <SegmentedControl
        value={status}
        onChange={(value) => setStatus(value as typeof status)}
        data={[
          { value: 'active', label: words.active },
          { value: 'deactivated', label: words.deactivated },
        ]}
        aria-label={words.show}
        style={{ alignSelf: 'flex-start' }}
      />
      <Shown query={people}>
        {() =>
          people.items.length === 0 ? (
            <Empty icon={IconUsers} title={words.nobody} />
          ) : (
            <>
              <Rows label={words.title}>
                {people.items.map((item) => (
                  <PersonRow key={item.id} person={item} />
                ))}
              </Rows>
              <More query={people} />
            </>
          )
        }
      </Shown>
    </>
  )
}
