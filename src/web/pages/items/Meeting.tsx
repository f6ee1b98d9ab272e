import { Badge, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { date, formatMoment } from '../../ui/times.tsx'
import { AddressFact, Quiet } from './Facts.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from './Found.tsx'
import { ItemFrame } from './Frame.tsx'
import { ItemSection, Spot } from './Section.tsx'
import { Transcript } from './Transcript.tsx'

type Details = Output<'get_meeting'>

export function Meeting() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_meeting', { meeting_id: id })
  return (
    <Loaded of={found}>
      {(meeting) => (
        <ItemFrame
          type="meeting"
          title={meeting.title}
          item={meeting}
          id={meeting.id}
          status={
            <Badge variant="light" tt="none">
              {t.items.word(meeting.status)}
            </Badge>
          }
        >
          <MeetingFacts of={meeting} />
          {meeting.agenda.length > 0 && (
            <ItemSection title={t.items.meeting.agenda}>
              {meeting.agenda.map((one, i) => (
                <Text key={i} size="sm">
                  <span role="img" aria-label={one.done ? t.items.done : t.items.toDo}>
                    {one.done ? '☑' : '☐'}
                  </span>{' '}
                  <span dir="auto">{one.text}</span>
                </Text>
              ))}
            </ItemSection>
          )}
          <Decisions of={meeting.decisions} />
          <Actions of={meeting.action_items} />
          <Notes of={meeting} />
          <ItemSection title={t.items.meeting.transcript}>
            {meeting.transcript.exists ? (
              <Transcript of={meeting.id} />
            ) : (
              <Quiet>{t.items.meeting.noTranscript}</Quiet>
            )}
          </ItemSection>
        </ItemFrame>
      )}
    </Loaded>
  )
}

function MeetingFacts({ of: meeting }: { of: Details }) {
  const { field } = t.items
  return (
    <Facts
      of={[
        [
          t.items.meeting.when,
          meeting.starts_at &&
            [meeting.starts_at, meeting.ends_at]
              .filter((at) => at !== undefined)
              .map((at) => formatMoment(at))
              .join(' – '),
        ],
        [
          t.items.meeting.people,
          meeting.participants.length > 0 && (
            <Stack gap={2}>
              {meeting.participants.map((one, i) => (
                <AddressFact key={i} of={one} />
              ))}
            </Stack>
          ),
        ],
        [field('organizer'), <ItemLink item={meeting.organizer} />],
        [field('project'), meeting.project && <ItemLink item={meeting.project} />],
        [field('event'), meeting.event && <ItemLink item={meeting.event} />],
        [field('pulse'), meeting.pulse && <ItemLink item={meeting.pulse} />],
      ]}
    />
  )
}

function Decisions({ of }: { of: Details['decisions'] }) {
  if (of.length === 0) return null
  return (
    <ItemSection title={t.items.meeting.decisions}>
      {of.map((one) => (
        <Spot key={one.id} id={one.id}>
          <ItemLink item={one} />
          <Markdown text={one.decision_markdown} under={2} />
        </Spot>
      ))}
    </ItemSection>
  )
}

function Actions({ of }: { of: Details['action_items'] }) {
  if (of.length === 0) return null
  return (
    <ItemSection title={t.items.meeting.actions}>
      {of.map((one) => (
        <Spot key={one.id} id={one.id}>
          <Text size="sm" dir="auto">
            {one.text}
          </Text>
          <Facts
            of={[
              [t.items.field('status'), t.items.word(one.status)],
              [t.items.field('owner'), one.owner && <AddressFact of={one.owner} />],
              [t.items.field('due_on'), one.due_on && date(one.due_on)],
              [t.items.field('task'), one.task && <ItemLink item={one.task} />],
            ]}
          />
        </Spot>
      ))}
    </ItemSection>
  )
}

function Notes({ of: { notes, notes_markdown } }: { of: Details }) {
  if (notes.length === 0 && !notes_markdown) return null
  return (
    <ItemSection title={t.items.meeting.notes}>
      {notes.length === 0 && <Markdown text={notes_markdown!} under={2} />}
      {notes.map((one) => (
        <Spot key={one.id} id={one.id}>
          <Quiet>{one.author.title}</Quiet>
          <Markdown text={one.body_markdown} under={2} />
        </Spot>
      ))}
    </ItemSection>
  )
}
