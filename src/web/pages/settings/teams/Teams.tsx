import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useCall, useList } from '../../../api/queries.ts'
import { useIsAdmin, useSignedIn } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { appPath } from '../../../ui/AppLink.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { runAction } from '../shared/sending.tsx'
import { formatList } from '../shared/words.ts'
import type { Team } from './team.ts'
import { TeamDialog } from './TeamDialog.tsx'

const texts = t.organization.teams

/** The organization's teams. Administrators create them; the lead of a team can edit it. */
export function Teams() {
  const teams = useList('list_teams', {})
  const isAdmin = useIsAdmin()
  const [isNew, newDialog] = useDisclosure()
  const add = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={newDialog.open}>
      {texts.create}
    </Button>
  )
  return (
    <Page title={texts.title} description={texts.about} actions={teams.items.length > 0 && add}>
      <QueryContent query={teams}>
        {() =>
          teams.items.length === 0 ? (
            <EmptyState
              icon={IconUsersGroup}
              title={texts.none}
              text={isAdmin ? texts.noneText : texts.noneForMembers}
              action={add}
            />
          ) : (
            <>
              <Rows label={texts.title}>
                {teams.items.map((item) => (
                  <TeamEntry key={item.id} team={item} />
                ))}
              </Rows>
              <More query={teams} />
            </>
          )
        }
      </QueryContent>
      {isNew && <TeamDialog onClose={newDialog.close} />}
    </Page>
  )
}

function TeamEntry({ team }: { team: Team }) {
  const { person } = useSignedIn()
  const isAdmin = useIsAdmin()
  const [isEditing, editDialog] = useDisclosure()
  const deletion = useCall('delete_team', ['list_teams'])
  const canEdit = isAdmin || team.lead?.id === person.id
  const remove = async () => {
    if (
      await confirm({
        title: texts.deleteTitle(team.name),
        text: texts.deleteText,
        action: texts.delete,
      })
    )
      await runAction(() => deletion.mutateAsync({ team_id: team.id }), texts.deleted(team.name))
  }
  const members = team.members.map(({ person, role }) =>
    role === 'lead' ? texts.lead(person.title) : person.title,
  )
  return (
    <Row
      title={team.name}
      to={appPath(team.url) ?? '/settings/teams'}
      actions={
        <>
          {canEdit && (
            <Button
              size="xs"
              variant="default"
              onClick={editDialog.open}
              aria-label={texts.editNamed(team.name)}
            >
              {texts.edit}
            </Button>
          )}
          {isAdmin && (
            <Button
              size="xs"
              variant="default"
              onClick={() => void remove()}
              aria-label={texts.deleteNamed(team.name)}
            >
              {texts.delete}
            </Button>
          )}
        </>
      }
    >
      {team.description && <div dir="auto">{team.description}</div>}
      <div dir="auto">{members.length === 0 ? texts.empty : formatList(members)}</div>
      {isEditing && <TeamDialog team={team} onClose={editDialog.close} />}
    </Row>
  )
}
