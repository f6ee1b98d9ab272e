import { Badge, Progress, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useList, useOperation } from '../../api/queries.ts'
import type { Output } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { MoreButton } from '../../ui/MoreButton.tsx'
import { Shown } from '../../ui/states.tsx'
import { date, formatMoment } from '../../ui/times.tsx'
import { Links, Quiet } from './Facts.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from './Found.tsx'
import { ItemFrame } from './Frame.tsx'
import { ItemSection, Spot } from './Section.tsx'
import { TaskList } from './TaskList.tsx'

export function Project() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_project', { project_id: id })
  return (
    <Loaded of={found}>
      {(project) => (
        <ItemFrame
          type="project"
          title={project.name}
          item={project}
          id={project.id}
          status={
            <Badge variant="light" tt="none">
              {t.items.word(project.status)}
            </Badge>
          }
        >
          <ProjectFacts of={project} />
          {project.description_markdown && <Markdown text={project.description_markdown} />}
          <Summary of={project.id} />
          <OpenTasks of={project.id} />
          <ItemSection title={t.items.project.members}>
            <Links of={project.members.map((member) => member.person)} />
          </ItemSection>
          {project.custom_fields.length > 0 && (
            <ItemSection title={t.items.project.customFields}>
              {project.custom_fields.map((customField) => (
                <Spot key={customField.id} id={customField.id}>
                  <Text size="sm">
                    <span dir="auto">{customField.name}</span> · {t.items.word(customField.type)}
                  </Text>
                </Spot>
              ))}
            </ItemSection>
          )}
        </ItemFrame>
      )}
    </Loaded>
  )
}

function ProjectFacts({ of: project }: { of: Output<'get_project'> }) {
  const { field } = t.items
  const { done, total } = project.task_counts
  return (
    <Stack gap="sm">
      {total > 0 && (
        <Stack gap={4}>
          <Progress
            value={(100 * done) / total}
            aria-label={t.items.project.progress(done, total)}
          />
          <Quiet>{t.items.project.progress(done, total)}</Quiet>
        </Stack>
      )}
      <Facts
        of={[
          [field('lead'), <ItemLink item={project.lead} />],
          [field('health'), project.health && t.items.word(project.health)],
          [field('team'), project.team && <ItemLink item={project.team} />],
          [field('starts_on'), project.starts_on && date(project.starts_on)],
          [field('ends_on'), project.ends_on && date(project.ends_on)],
          [
            field('current_sprint'),
            project.current_sprint && <ItemLink item={project.current_sprint} />,
          ],
          [t.items.project.goals, project.goals.length > 0 && <Links of={project.goals} />],
        ]}
      />
    </Stack>
  )
}

function Summary({ of }: { of: string }) {
  const { data } = useOperation('get_project_summary', { project_id: of })
  if (!data) return null
  const { last_update: last, milestones } = data
  return (
    <>
      {last && (
        <ItemSection title={t.items.project.updates}>
          <Spot id={last.id}>
            <Quiet>
              {last.author.title} · {formatMoment(last.created_at)} · {t.items.word(last.health)}
            </Quiet>
            <Markdown text={last.body_markdown} under={2} />
          </Spot>
        </ItemSection>
      )}
      {milestones.length > 0 && (
        <ItemSection title={t.items.project.milestones}>
          <Links
            of={milestones.map((milestone) => ({
              id: milestone.id,
              url: milestone.url,
              title:
                milestone.due_on === undefined
                  ? milestone.name
                  : `${milestone.name} · ${date(milestone.due_on)}`,
            }))}
          />
        </ItemSection>
      )}
    </>
  )
}

const open = ['triage', 'backlog', 'todo', 'in_progress'] as const

function OpenTasks({ of }: { of: string }) {
  const tasks = useList('list_tasks', { project_id: of, status_category: [...open], limit: 50 })
  const counts = useOperation('count_tasks', {
    project_id: of,
    status_category: [...open],
    group_by: 'status_category',
  })
  return (
    <ItemSection title={t.items.project.tasks(counts.data?.total)}>
      <Shown of={tasks}>
        {() =>
          tasks.items.length === 0 ? <Quiet>{t.items.none}</Quiet> : <TaskList of={tasks.items} />
        }
      </Shown>
      <MoreButton of={tasks} />
    </ItemSection>
  )
}
