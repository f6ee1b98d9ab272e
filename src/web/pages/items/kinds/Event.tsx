import { Anchor, Badge, Group, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { formatDate, formatMoment } from '../../../ui/times.tsx'
import { AddressFact, DimmedText } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { ItemSection } from '../Section.tsx'

type Details = Output<'get_event'>

export function Event() {
  const { id } = useParams({ strict: false }) as { id: string }
  const eventQuery = useOperation('get_event', { event_id: id })
  return (
    <Loaded query={eventQuery}>
      {(event) => (
        <ItemFrame
          type="event"
          title={event.title}
          item={event}
          id={event.id}
          status={
            event.status !== 'confirmed' && (
              <Badge variant="light" tt="none">
                {t.items.word(event.status)}
              </Badge>
            )
          }
        >
          <EventFacts event={event} />
          {event.content && event.content.text !== '' && (
            <ItemSection title={t.items.event.description}>
              <PlainText text={event.content.text} isOutside={event.content.trust === 'external'} />
            </ItemSection>
          )}
          {event.attendees.length > 0 && <Attendees attendees={event.attendees} />}
          {event.next_occurrences && event.next_occurrences.length > 0 && (
            <ItemSection title={t.items.event.next}>
              {event.next_occurrences.map((nextOccurrence) => (
                <ItemLink
                  key={nextOccurrence.id}
                  item={{
                    id: nextOccurrence.id,
                    title: formatMoment(nextOccurrence.starts_at),
                    url: `/calendar/events/${nextOccurrence.id}`,
                  }}
                />
              ))}
            </ItemSection>
          )}
        </ItemFrame>
      )}
    </Loaded>
  )
}

function EventFacts({ event }: { event: Details }) {
  const { field } = t.items
  const end = event.all_day
    ? formatDate(new Date(new Date(event.ends_at).getTime() - 1).toISOString())
    : formatMoment(event.ends_at)
  const start = event.all_day ? formatDate(event.starts_at) : formatMoment(event.starts_at)
  return (
    <Facts
      facts={[
        [
          t.items.meeting.when,
          `${start === end ? start : `${start} – ${end}`}${event.all_day ? ` (${t.items.event.allDay.toLowerCase()})` : ''}`,
        ],
        [field('location'), event.location && <span dir="auto">{event.location}</span>],
        [
          t.items.event.video,
          event.video_url && (
            <Anchor href={event.video_url} target="_blank" rel="noopener noreferrer" size="sm">
              {event.video_url}
            </Anchor>
          ),
        ],
        [field('calendar'), <ItemLink item={event.calendar} />],
        [field('organizer'), event.organizer && <AddressFact person={event.organizer} />],
        [field('my_response'), event.my_response && t.items.word(event.my_response)],
        [field('rrule'), event.rrule],
        [t.items.event.meeting, event.meeting && <ItemLink item={event.meeting} />],
      ]}
    />
  )
}

function Attendees({ attendees }: { attendees: Details['attendees'] }) {
  return (
    <ItemSection title={t.items.event.attendees}>
      <Stack gap={6} component="ul" className="plain-list">
        {attendees.map((attendee, i) => (
          <Group key={i} component="li" gap="xs" fz="sm">
            <AddressFact person={attendee.address} />
            <DimmedText>
              {t.items.word(attendee.response)}
              {attendee.optional && `, ${t.items.event.optional}`}
            </DimmedText>
          </Group>
        ))}
      </Stack>
    </ItemSection>
  )
}
