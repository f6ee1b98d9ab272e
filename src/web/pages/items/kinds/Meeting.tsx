import { Badge, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { date, formatMoment } from '../../../ui/times.tsx'
import { AddressFact, Quiet } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { ItemSection, Spot } from '../Section.tsx'
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
              {meeting.agenda.map((item, i) => (
                <Text key={i} size="sm">
                  <span role="img" aria-label={item.done ? t.items.done : t.items.toDo}>
                    {item.done ? '☑' : '☐'}
                  </span>{' '}
                  <span dir="auto">{item.text}</span>
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
              {meeting.participants.map((participant, i) => (
                <AddressFact key={i} of={participant} />
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
      {of.map((decisionInList) => (
        <Spot key={decisionInList.id} id={decisionInList.id}>
          <ItemLink item={decisionInList} />
          <Markdown text={decisionInList.decision_markdown} under={2} />
        </Spot>
      ))}
    </ItemSection>
  )
}

function Actions({ of }: { of: Details['action_items'] }) {
  if (of.length === 0) return null
  return (
    <ItemSection title={t.items.meeting.actions}>
      {of.map((entry) => (
        <Spot key={entry.id} id={entry.id}>
          <Text size="sm" dir="auto">
            {entry.text}
          </Text>
          <Facts
            of={[
              [t.items.field('status'), t.items.word(entry.status)],
              [t.items.field('owner'), entry.owner && <AddressFact of={entry.owner} />],
              [t.items.field('due_on'), entry.due_on && date(entry.due_on)],
              [t.items.field('task'), entry.task && <ItemLink item={entry.task} />],
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
      {notes.map((note) => (
        <Spot key={note.id} id={note.id}>
          <Quiet>{note.author.title}</Quiet>
          <Markdown text={note.body_markdown} under={2} />
        </Spot>
      ))}
    </ItemSection>
  )
}
