import { blocks, factList, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import type { IncidentShape, StatusUpdateShape, TimelineEntryShape } from './shapes.ts'

/** An incident as Markdown. Longer texts by people are quoted. */
export function textOfIncident(incident: IncidentShape): string {
  return blocks(
    `# ${incident.key}: ${oneLine(incident.title)}`,
    incidentFactsText(incident),
    section('Summary', optionalQuotation(incident.summary_markdown)),
    section('Customer impact', optionalQuotation(incident.customer_impact)),
    section('Cause', optionalQuotation(incident.cause)),
    section('Resolution', optionalQuotation(incident.resolution)),
    section(
      'Follow-up tasks',
      (incident.follow_up_tasks ?? []).map(
        (followupTask) =>
          `- ${followupTask.key ?? followupTask.id}: ${oneLine(followupTask.title)}`,
      ),
    ),
    section(
      'Runbooks',
      (incident.runbooks ?? []).map(
        ({ runbook, progress }) =>
          `- ${oneLine(runbook.title)} (${runbook.id}): ${progress.done} of ${progress.total} done`,
      ),
    ),
    section('Status updates', (incident.status_updates ?? []).map(updateText).join('\n\n')),
    section('Timeline', (incident.timeline ?? []).map(entryText).join('\n\n')),
  )
}

function incidentFactsText(incidentShape: IncidentShape): string {
  const { lead, communications, scribe } = incidentShape.roles
  return factList({
    Severity: incidentShape.severity,
    Status: incidentShape.status,
    Services: incidentShape.services.map((service) => service.title).join(', '),
    Lead: lead?.title ?? 'none',
    Communications: communications?.title,
    Scribe: scribe?.title,
    Channel: incidentShape.channel?.key,
    Detected: incidentShape.detected_at,
    Declared: incidentShape.opened_at,
    Acknowledged: incidentShape.acknowledged_at,
    Mitigated: incidentShape.mitigated_at,
    Resolved: incidentShape.resolved_at,
    Closed: incidentShape.closed_at,
    Restricted: incidentShape.restricted
      ? 'yes: only people with a role in it and administrators can see it'
      : undefined,
    Postmortem: incidentShape.postmortem
      ? `${incidentShape.postmortem.page.title} (${incidentShape.postmortem.page.id}), ${incidentShape.postmortem.status}${incidentShape.postmortem.overdue ? ', overdue' : ''}`
      : undefined,
    Id: `${incidentShape.id}, revision ${incidentShape.revision}`,
    Address: incidentShape.url,
  })
}

function optionalQuotation(text: string | undefined): string {
  return text?.trim() ? quotation(text) : ''
}

function updateText({ published_at, state, title, body_markdown }: StatusUpdateShape): string {
  return `${published_at}, ${state}: ${oneLine(title)}\n\n${quotation(body_markdown)}`
}

function entryText({
  occurred_at,
  kind,
  actor,
  from,
  to,
  body_markdown,
}: TimelineEntryShape): string {
  const change =
    from !== undefined || to !== undefined
      ? ` (${oneLine(from ?? '–')} → ${oneLine(to ?? '–')})`
      : ''
  return `${occurred_at}, ${oneLine(actor?.title ?? 'someone')}, ${kind}${change}:\n\n${quotation(body_markdown)}`
}
