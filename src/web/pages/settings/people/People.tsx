import { Button, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useIsAdmin } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { useEndpointList } from '../shared/lists.ts'
import { More } from '../shared/More.tsx'
import { Rows } from '../shared/Rows.tsx'
import { Invitations } from './Invitations.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { PersonRow } from './PersonRow.tsx'
import { peoplePath } from './person.ts'

const texts = t.organization.people

/** Members and invitations of the organization; for administrators. */
export function People() {
  const isAdmin = useIsAdmin()
  const [isInviting, inviteDialog] = useDisclosure()
  if (!isAdmin) return <AdminsOnly title={texts.title} />
  return (
    <Page
      title={texts.title}
      description={texts.about}
      actions={
        <Button leftSection={<IconUserPlus size={16} />} onClick={inviteDialog.open}>
          {texts.invite}
        </Button>
      }
    >
      <Members />
      <Invitations />
      {isInviting && <InviteDialog onClose={inviteDialog.close} />}
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
          { value: 'active', label: texts.active },
          { value: 'deactivated', label: texts.deactivated },
        ]}
        aria-label={texts.show}
        style={{ alignSelf: 'flex-start' }}
      />
      <QueryContent query={people}>
        {() =>
          people.items.length === 0 ? (
            <EmptyState icon={IconUsers} title={texts.nobody} />
          ) : (
            <>
              <Rows label={texts.title}>
                {people.items.map((item) => (
                  <PersonRow key={item.id} person={item} />
                ))}
              </Rows>
              <More query={people} />
            </>
          )
        }
      </QueryContent>
    </>
  )
}
