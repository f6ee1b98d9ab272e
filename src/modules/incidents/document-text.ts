import { blocks, facts, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import type { IncidentShape, StatusUpdateShape, TimelineEntryShape } from './shapes.ts'

/** An incident as Markdown. What people wrote at length stands as quotation. */
export function textOfIncident(of: IncidentShape): string {
  return blocks(
    `# ${of.key}: ${oneLine(of.title)}`,
    factsOf(of),
    section('Summary', quoted(of.summary_markdown)),
    section('Customer impact', quoted(of.customer_impact)),
    section('Cause', quoted(of.cause)),
    section('Resolution', quoted(of.resolution)),
    section(
      'Follow-up tasks',
      (of.follow_up_tasks ?? []).map(
        (followupTask) =>
          `- ${followupTask.key ?? followupTask.id}: ${oneLine(followupTask.title)}`,
      ),
    ),
    section(
      'Runbooks',
      (of.runbooks ?? []).map(
        ({ runbook, progress }) =>
          `- ${oneLine(runbook.title)} (${runbook.id}): ${progress.done} of ${progress.total} done`,
      ),
    ),
    section('Status updates', (of.status_updates ?? []).map(updateText).join('\n\n')),
    section('Timeline', (of.timeline ?? []).map(entryText).join('\n\n')),
  )
}

function factsOf(of: IncidentShape): string {
  const { lead, communications, scribe } = of.roles
  return facts({
    Severity: of.severity,
    Status: of.status,
    Services: of.services.map((service) => service.title).join(', '),
    Lead: lead?.title ?? 'none',
    Communications: communications?.title,
    Scribe: scribe?.title,
    Channel: of.channel?.key,
    Detected: of.detected_at,
    Declared: of.opened_at,
    Acknowledged: of.acknowledged_at,
    Mitigated: of.mitigated_at,
    Resolved: of.resolved_at,
    Closed: of.closed_at,
    Restricted: of.restricted
      ? 'yes: only people with a role in it and administrators can see it'
      : undefined,
    Postmortem: of.postmortem
      ? `${of.postmortem.page.title} (${of.postmortem.page.id}), ${of.postmortem.status}${of.postmortem.overdue ? ', overdue' : ''}`
      : undefined,
    Id: `${of.id}, revision ${of.revision}`,
    Address: of.url,
  })
}

function quoted(text: string | undefined): string {
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
