import { Badge, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../../api/client.ts'
import { useList, useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Shown } from '../../../ui/states.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { Links, Quiet } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { ItemSection, Spot } from '../Section.tsx'

type Details = Output<'get_incident'>

export function Incident() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_incident', {
    incident_id: id,
    include: ['updates', 'postmortem', 'tasks', 'links'],
  })
  return (
    <Loaded of={found}>
      {(incident) => (
        <ItemFrame
          type="incident"
          title={incident.title}
          item={incident}
          id={incident.id}
          status={<Badges of={incident} />}
        >
          <IncidentFacts of={incident} />
          {incident.summary_markdown && (
            <ItemSection title={t.items.incident.summary}>
              <Markdown text={incident.summary_markdown} under={2} />
            </ItemSection>
          )}
          <Postmortem of={incident} />
          <Updates of={incident.status_updates ?? []} />
          <Timeline of={incident.id} />
        </ItemFrame>
      )}
    </Loaded>
  )
}

function Badges({ of: { severity, status } }: { of: Details }) {
  return (
    <>
      <Badge color={severity === 'sev1' || severity === 'sev2' ? 'red' : 'gray'} variant="light">
        {severity}
      </Badge>
      <Badge variant="light" tt="none">
        {t.items.word(status)}
      </Badge>
    </>
  )
}

function IncidentFacts({ of: incident }: { of: Details }) {
  const { field, incident: words } = t.items
  const { lead, communications, scribe } = incident.roles
  const times = (
    ['detected_at', 'acknowledged_at', 'mitigated_at', 'resolved_at', 'closed_at'] as const
  ).map((name) => [field(name), incident[name] && formatMoment(incident[name])] as const)
  return (
    <Facts
      of={[
        [field('services'), incident.services.length > 0 && <Links of={incident.services} />],
        [words.lead, lead ? <ItemLink item={lead} /> : words.nobody],
        [words.communications, communications && <ItemLink item={communications} />],
        [words.scribe, scribe && <ItemLink item={scribe} />],
        ...times,
        [
          field('customer_impact'),
          incident.customer_impact && <span dir="auto">{incident.customer_impact}</span>,
        ],
        [field('cause'), incident.cause && <span dir="auto">{incident.cause}</span>],
        [field('resolution'), incident.resolution && <span dir="auto">{incident.resolution}</span>],
        [
          words.tasks,
          incident.follow_up_tasks && incident.follow_up_tasks.length > 0 && (
            <Links of={incident.follow_up_tasks} />
          ),
        ],
        [
          words.runbooks,
          incident.runbooks && incident.runbooks.length > 0 && (
            <Links of={incident.runbooks.map((runbook) => runbook.runbook)} />
          ),
        ],
      ]}
    />
  )
}

function Postmortem({ of: { postmortem } }: { of: Details }) {
  if (!postmortem) return null
  return (
    <ItemSection title={t.items.incident.postmortem}>
      <Spot id={postmortem.id}>
        <Facts
          of={[
            [t.items.field('page'), <ItemLink item={postmortem.page} />],
            [t.items.field('author'), <ItemLink item={postmortem.author} />],
            [t.items.field('status'), t.items.word(postmortem.status)],
          ]}
        />
      </Spot>
    </ItemSection>
  )
}

function Updates({ of }: { of: NonNullable<Details['status_updates']> }) {
  if (of.length === 0) return null
  return (
    <ItemSection title={t.items.incident.updates}>
      {of.map((statusUpdate) => (
        <Spot key={statusUpdate.id} id={statusUpdate.id}>
          <Text size="sm" fw={600} dir="auto">
            {statusUpdate.title}
          </Text>
          <Quiet>
            {t.items.word(statusUpdate.state)} · {formatMoment(statusUpdate.published_at)}
          </Quiet>
          <Markdown text={statusUpdate.body_markdown} under={2} />
        </Spot>
      ))}
    </ItemSection>
  )
}

function Timeline({ of }: { of: string }) {
  const found = useList('list_incident_timeline', { incident_id: of, limit: 50 })
  return (
    <ItemSection title={t.items.incident.timeline}>
      <Shown of={found}>
        {() => (
          <Stack gap="sm">
            {found.items.map((item) => (
              <Spot key={item.id} id={item.id}>
                <Quiet>
                  <time dateTime={item.occurred_at}>{formatMoment(item.occurred_at)}</time> ·{' '}
                  {t.items.word(item.kind)}
                  {item.actor && ` · ${item.actor.title}`}
                </Quiet>
                <Markdown text={item.body_markdown} under={2} />
              </Spot>
            ))}
            <MoreButton of={found} />
          </Stack>
        )}
      </Shown>
    </ItemSection>
  )
}
