import { Badge, Group, Progress, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { Links, Quiet } from './Facts.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from './Found.tsx'
import { ItemFrame } from './Frame.tsx'
import { ItemSection, Spot } from './Section.tsx'

type Details = Output<'get_goal'>

export function Goal() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_goal', { goal_id: id })
  return (
    <Loaded of={found}>
      {(goal) => (
        <ItemFrame
          type="goal"
          title={goal.title}
          item={goal}
          id={goal.id}
          status={
            <Badge variant="light" tt="none">
              {t.items.word(goal.status)}
            </Badge>
          }
        >
          <Bar percent={goal.progress} label={goal.title} />
          <Facts
            of={[
              [t.items.field('period'), goal.period],
              [t.items.field('owner'), <ItemLink item={goal.owner} />],
              [t.items.field('team'), goal.team && <ItemLink item={goal.team} />],
              [t.items.field('parent'), goal.parent && <ItemLink item={goal.parent} />],
              [t.items.field('confidence'), goal.confidence && t.items.word(goal.confidence)],
              [t.items.goal.children, goal.children.length > 0 && <Links of={goal.children} />],
              [t.items.field('projects'), goal.projects.length > 0 && <Links of={goal.projects} />],
            ]}
          />
          {goal.description_markdown && <Markdown text={goal.description_markdown} />}
          <KeyResults of={goal.key_results} />
          <CheckIns of={goal.checkins} />
        </ItemFrame>
      )}
    </Loaded>
  )
}

/** How far something is, in percent. */
function Bar({ percent, label }: { percent: number; label: string }) {
  const text = t.items.goal.progress(t.items.percent(percent / 100))
  return (
    <Stack gap={4}>
      <Progress value={Math.max(0, Math.min(100, percent))} aria-label={`${label}: ${text}`} />
      <Quiet>{text}</Quiet>
    </Stack>
  )
}

function KeyResults({ of }: { of: Details['key_results'] }) {
  if (of.length === 0) return null
  return (
    <ItemSection title={t.items.goal.keyResults}>
      {of.map((keyResult) => (
        <Spot key={keyResult.id} id={keyResult.id}>
          <Group gap="xs" justify="space-between">
            <Text size="sm" fw={600} dir="auto">
              {keyResult.title}
            </Text>
            <Quiet>
              {t.items.goal.of(
                t.items.number(keyResult.current_value),
                `${t.items.number(keyResult.target_value)} ${keyResult.unit ?? ''}`.trim(),
              )}
              {keyResult.retired && ` · ${t.items.goal.retired}`}
            </Quiet>
          </Group>
          <Bar percent={keyResult.progress} label={keyResult.title} />
        </Spot>
      ))}
    </ItemSection>
  )
}

function CheckIns({ of }: { of: Details['checkins'] }) {
  if (of.length === 0) return null
  return (
    <ItemSection title={t.items.goal.checkins}>
      {of.map((item) => (
        <Spot key={item.id} id={item.id}>
          <Quiet>
            {item.author.title} · {formatMoment(item.created_at)} · {t.items.word(item.confidence)}
          </Quiet>
          {item.note_markdown && <Markdown text={item.note_markdown} under={2} />}
        </Spot>
      ))}
    </ItemSection>
  )
}
