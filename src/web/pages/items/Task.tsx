import { Alert, Badge, Stack } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import type { Output } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { date, formatMoment } from '../../ui/times.tsx'
import { CommentList } from './CommentList.tsx'
import { FieldFacts, Links } from './Facts.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from './Found.tsx'
import { ItemFrame } from './Frame.tsx'
import { ItemSection } from './Section.tsx'
import { TaskList } from './TaskList.tsx'

export function Task() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_task', {
    task_id: id,
    include: ['subtasks', 'dependencies', 'comments', 'attachments'],
  })
  return <Loaded of={found}>{(task) => <Shown of={task} />}</Loaded>
}

function Shown({ of: task }: { of: Output<'get_task'> }) {
  return (
    <ItemFrame
      type="task"
      title={task.title}
      item={task}
      id={task.id}
      status={
        <Badge variant="light" tt="none">
          {task.status}
        </Badge>
      }
    >
      {task.blocked && (
        <Alert color="yellow" icon={<IconLock />} title={t.items.task.blocked}>
          <Links of={task.blocked_by} />
        </Alert>
      )}
      <TaskFacts of={task} />
      {task.description_markdown && (
        <ItemSection title={t.items.task.description}>
          <Markdown text={task.description_markdown} under={2} />
        </ItemSection>
      )}
      {task.subtasks && task.subtasks.length > 0 && (
        <ItemSection title={t.items.task.subtasks}>
          <TaskList of={task.subtasks} />
        </ItemSection>
      )}
      {task.dependencies && task.dependencies.length > 0 && (
        <ItemSection title={t.items.task.dependencies}>
          <Facts
            of={[...Map.groupBy(task.dependencies, (dependency) => dependency.type)].map(
              ([type, some]) =>
                [
                  t.items.word(type),
                  <Links key={type} of={some.map((dependency) => dependency.task)} />,
                ] as const,
            )}
          />
        </ItemSection>
      )}
      {task.attachments && task.attachments.length > 0 && (
        <ItemSection title={t.items.task.attachments}>
          <Stack gap={4}>
            {task.attachments.map((attachment) => (
              <ItemLink
                key={attachment.id}
                item={
                  attachment.file
                    ? { ...attachment.file, title: attachment.name }
                    : {
                        id: attachment.id,
                        title:
                          attachment.web_url === undefined
                            ? attachment.name
                            : `${attachment.name} – ${attachment.web_url}`,
                      }
                }
              />
            ))}
          </Stack>
        </ItemSection>
      )}
      {task.comments && task.comments.length > 0 && (
        <ItemSection title={t.items.task.comments(task.comment_count)}>
          <CommentList of={task.comments} />
        </ItemSection>
      )}
    </ItemFrame>
  )
}

function TaskFacts({ of: task }: { of: Output<'get_task'> }) {
  const { field } = t.items
  const when = (at: string | undefined) => at && formatMoment(at)
  return (
    <>
      <Facts
        of={[
          [field('assignees'), task.assignees.length > 0 && <Links of={task.assignees} />],
          [field('priority'), task.priority === 'none' ? undefined : t.items.word(task.priority)],
          [field('due_at'), task.due_on ? date(task.due_on) : when(task.due_at)],
          [field('start_at'), task.start_on ? date(task.start_on) : when(task.start_at)],
          [field('completed_at'), when(task.completed_at)],
          [field('project'), <ItemLink item={task.project} />],
          [field('parent'), task.parent && <ItemLink item={task.parent} />],
          [field('sprint'), task.sprint && <ItemLink item={task.sprint} />],
          [field('milestone'), task.milestone && <ItemLink item={task.milestone} />],
          [field('labels'), task.labels.length > 0 && <Links of={task.labels} />],
          [
            field('estimate_minutes'),
            task.estimate_minutes === undefined
              ? undefined
              : t.items.minutes(task.estimate_minutes),
          ],
          [field('points'), task.points === undefined ? undefined : t.items.number(task.points)],
          [
            field('time_spent_minutes'),
            task.time_spent_minutes > 0 && t.items.minutes(task.time_spent_minutes),
          ],
          [t.items.task.from, task.source && <ItemLink item={task.source} />],
          [field('blocks'), task.blocks.length > 0 && <Links of={task.blocks} />],
        ]}
      />
      {Object.keys(task.custom_fields).length > 0 && <FieldFacts of={task.custom_fields} />}
    </>
  )
}
