// Activities of the sample people with others: contacts and sales, an evening incident, a form, and automations.

import {
  automations,
  companies,
  contacts,
  deals,
  form,
  incident,
  interactions,
} from './sample-company.ts'
import type { Studio } from './seeder.ts'

const hour = 3600_000

/** Creates the contacts and deals at the start of the three weeks. */
export async function createContacts(studio: Studio): Promise<void> {
  for (const { name, owner, ...more } of companies)
    await studio.createNamed(`company ${name}`, owner, 'create_company', {
      name,
      ...more,
      owner_id: studio.email(owner),
    })
  for (const { name, email, phone, company, owner, labels, ...more } of contacts) {
    await studio.createNamed(`contact ${name}`, owner, 'create_contact', {
      name,
      emails: [email],
      phones: phone && [phone],
      company_id: company && studio.id(`company ${company}`),
      owner_id: studio.email(owner),
      label_ids: labels,
      ...more,
    })
  }
  for (const { name, by, company, people, amount, currency, close, note } of deals) {
    await studio.createNamed(`deal ${name}`, by, 'create_deal', {
      name,
      company_id: studio.id(`company ${company}`),
      contact_ids: people.map((person) => studio.id(`contact ${person}`)),
      amount,
      currency,
      expected_close_on: studio.date(close),
      note,
    })
  }
}

/** Creates interactions, an incident, a form and automations, and changes the deals. */
export async function createCompanyEvents(studio: Studio): Promise<void> {
  for (const { by, kind, day, people, deal, text, next } of interactions) {
    await studio.call(by, 'log_interaction', {
      kind,
      occurred_at: `${studio.date(day)}T09:00:00Z`,
      contact_ids: people.map((person) => studio.id(`contact ${person}`)),
      deal_id: deal && studio.id(`deal ${deal}`),
      summary_markdown: text,
      ...(next ? { next_step: next[0], next_step_due: studio.date(next[1]) } : {}),
    })
  }
  for (const { name, by, updates } of deals)
    for (const step of updates)
      await studio.call(by, 'update_deal', { deal_id: studio.id(`deal ${name}`), ...step })
  await createIncident(studio)
  await createSampleForm(studio)
  for (const { by, name, trigger, conditions, actions } of automations) {
    const automation_id = await studio.createNamed(`automation ${name}`, by, 'create_automation', {
      name,
      trigger,
      conditions,
      actions,
      shared: true,
    })
    await studio.call(by, 'enable_automation', { automation_id })
  }
}

async function createIncident(studio: Studio): Promise<void> {
  const { service, title, severity, summary, notes, cause, mitigation, resolution } = incident
  studio.advanceTo(Date.parse(`${studio.date(-2)}T00:00:00Z`) + 9 * hour)
  const service_id = await studio.createNamed(
    `service ${service.name}`,
    'tom',
    'create_service',
    service,
  )
  const incident_id = await studio.createNamed(
    'incident',
    'mia',
    'create_incident',
    {
      title,
      severity,
      summary_markdown: summary,
      service_ids: [service_id],
      lead_id: studio.email('tom'),
    },
    2,
  )
  await studio.call('tom', 'acknowledge_incident', { incident_id, note: 'Looking into it.' }, 4)
  for (const [who, body_markdown] of notes)
    await studio.call(who, 'add_incident_note', { incident_id, body_markdown }, 6)
  const mitigated_at = studio.now()
  await studio.call(
    'tom',
    'update_incident',
    { incident_id, cause, mitigated_at, reason: mitigation },
    9,
  )
  await studio.call('tom', 'resolve_incident', { incident_id, resolution }, 25)
  await studio.call('tom', 'create_postmortem', { incident_id, due_on: studio.date(5) })
}

async function createSampleForm(studio: Studio): Promise<void> {
  const form_id = await studio.createNamed('form', 'tom', 'create_form', {
    title: form.title,
    description_markdown: form.about,
    fields: form.fields,
    settings: { responses_visible_to: 'organization', thank_you: 'Thank you. Sleep well.' },
  })
  await studio.call('tom', 'publish_form', { form_id, audience: 'organization' })
  for (const [who, answers] of form.answers)
    await studio.call(who, 'submit_form_response', { form_id, answers })
}
