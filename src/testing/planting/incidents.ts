import { dayCounter, literals, type Planter } from './planter.ts'

/** A restricted incident with notes and a pinned message, and one that is resolved; a schedule, a service and a runbook are everybody's. */
export const incidents: Planter = {
  async plant(make, say) {
    const day = await dayCounter(make)
    const first = await make('create_incident', {
      title: say('incident'),
      severity: 'sev2',
      summary_markdown: say('summary'),
      restricted: true,
      detected_at: `${day(-1)}T10:00:00Z`,
    })
    await make('update_incident', {
      incident_id: first.id,
      cause: say('cause'),
      customer_impact: say('impact'),
      reason: say('reason'),
    })
    const note = await make('add_incident_note', {
      incident_id: first.id,
      body_markdown: say('finding'),
    })
    const said = await make('send_message', {
      channel_id: first.channel.id,
      body_markdown: say('said in the incident'),
    })
    const pinned = await make('add_incident_note', {
      incident_id: first.id,
      body_markdown: say('pinned'),
      message_id: said.id,
    })
    await make('escalate_incident', {
      incident_id: first.id,
      reason: say('why it is escalated'),
      person_id: 'me',
    })
    const over = await make('create_incident', {
      title: say('former incident'),
      severity: 'sev4',
      restricted: true,
    })
    await make('resolve_incident', { incident_id: over.id, resolution: say('resolution') })
    const postmortem = await make('create_postmortem', { incident_id: over.id })
    return {
      incident: [first.id, over.id],
      timeline_entry: [note.id, pinned.id],
      channel: [first.channel.id, over.channel.id],
      message: [said.id],
      postmortem: [postmortem.id],
      page: [postmortem.page.id],
    }
  },
  async open(make, say) {
    const day = await dayCounter(make)
    const schedule = await make('create_on_call_schedule', {
      name: say('schedule'),
      timezone: 'Europe/Berlin',
      layers: [{ people: ['me'], rotation: 'weekly' }],
    })
    const override = await make('create_on_call_override', {
      schedule_id: schedule.id,
      person_id: 'me',
      starts_at: day(4),
      ends_at: day(5),
      reason: say('reason of an override'),
    })
    const service = await make('create_service', {
      name: say('service'),
      description: say('what it does'),
      schedule_id: schedule.id,
    })
    const runbook = await make('create_runbook', {
      name: say('runbook'),
      steps: [{ title: say('step'), body_markdown: say('what to do') }],
      service_ids: [service.id],
    })
    const update = await make('publish_status_update', {
      title: say('status update'),
      body_markdown: say('what is told'),
      state: 'resolved',
      service_states: { [service.id]: 'operational' },
    })
    return {
      on_call_schedule: [schedule.id, say('schedule')],
      on_call_override: [override.id],
      service: [service.id, say('service')],
      runbook: [runbook.id],
      status_update: [update.id],
    }
  },
  rows(planted) {
    const of = `incident_id IN (${literals(planted.incident)})`
    return {
      incidents: `id IN (${literals(planted.incident)})`,
      incident_roles: of,
      incident_channels: of,
      timeline_entries: of,
      postmortems: of,
      runbook_steps: of,
      response_projects: of,
      escalations: of,
    }
  },
  inside(_, planted) {
    return (planted.service ?? []).map((id): [string, Record<string, unknown>, string] => [
      'publish_status_update',
      { title: 'x', body_markdown: 'x', state: 'identified', service_states: { [id]: 'degraded' } },
      'service',
    ])
  },
}
