import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useCall, useList } from '../../../api/queries.ts'
import { useIsAdmin, useSignedIn } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { appPath } from '../../../ui/AppLink.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { submitWork } from '../shared/sending.tsx'
import { formatList } from '../shared/words.ts'
import type { Team } from './team.ts'
import { TeamDialog } from './TeamDialog.tsx'

const words = t.organization.teams

/** The organization's teams. Administrators create them; the lead of a team can edit it. */
export function Teams() {
  const teams = useList('list_teams', {})
  const isAdmin = useIsAdmin()
  const [isNew, making] = useDisclosure()
  const add = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={making.open}>
      {words.create}
    </Button>
  )
  return (
    <Page title={words.title} about={words.about} actions={teams.items.length > 0 && add}>
      <Shown query={teams}>
        {() =>
          teams.items.length === 0 ? (
            <Empty
              icon={IconUsersGroup}
              title={words.none}
              text={isAdmin ? words.noneText : words.noneForMembers}
              action={add}
            />
          ) : (
            <>
              <Rows label={words.title}>
                {teams.items.map((item) => (
                  <TeamEntry key={item.id} team={item} />
                ))}
              </Rows>
              <More query={teams} />
            </>
          )
        }
      </Shown>
      {isNew && <TeamDialog onClose={making.close} />}
    </Page>
  )
}

function TeamEntry({ team }: { team: Team }) {
  const { person } = useSignedIn()
  const isAdmin = useIsAdmin()
  const [isEditing, editing] = useDisclosure()
  const deletion = useCall('delete_team', ['list_teams'])
  const mayEdit = isAdmin || team.lead?.id === person.id
  const remove = async () => {
    if (
      await confirm({
        title: words.deleteTitle(team.name),
        text: words.deleteText,
        action: words.delete,
      })
    )
      await submitWork(() => deletion.mutateAsync({ team_id: team.id }), words.deleted(team.name))
  }
  const members = team.members.map(({ person, role }) =>
    role === 'lead' ? words.lead(person.title) : person.title,
  )
  return (
    <Row
      title={team.name}
      to={appPath(team.url) ?? '/settings/teams'}
      actions={
        <>
          {mayEdit && (
            <Button
              size="xs"
              variant="default"
              onClick={editing.open}
              aria-label={words.editNamed(team.name)}
            >
              {words.edit}
            </Button>
          )}
          {isAdmin && (
            <Button
              size="xs"
              variant="default"
              onClick={() => void remove()}
              aria-label={words.deleteNamed(team.name)}
            >
              {words.delete}
            </Button>
          )}
        </>
      }
    >
      {team.description && <div dir="auto">{team.description}</div>}
      <div dir="auto">{members.length === 0 ? words.empty : formatList(members)}</div>
      {isEditing && <TeamDialog team={team} onClose={editing.close} />}
    </Row>
  )
}
