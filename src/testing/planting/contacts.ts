import type { Planter } from './planter.ts'

/** The directory is the organization's: nothing of it is hidden from colleagues, all of it from everybody else. */
export const contacts: Planter = {
  async plant() {
    return {}
  },
  async open(make, say) {
    const word = say('x').split(' ')[0]!
    const company = await make('create_company', {
      name: say('company'),
      domain: `${word}.example`,
      note: say('about them'),
    })
    const contact = await make('create_contact', {
      name: say('contact'),
      emails: [`contact@${word}.example`],
      phones: ['+4930901820'],
      title: say('title'),
      note: say('note'),
      custom_fields: { [say('field')]: say('value') },
      company_id: company.id,
    })
    const double = await make('create_contact', {
      name: say('double'),
      emails: [`contact+double@${word}.example`],
      phones: ['+4930901820'],
    })
    const merged = await make('create_contact', {
      name: say('merged'),
      emails: [`merged@${word}.example`],
    })
    await make('merge_contacts', { contact_id: contact.id, duplicate_ids: [merged.id] })
    const gone = await make('create_contact', { name: say('trashed contact') })
    await make('delete_contact', { contact_id: gone.id })
    const deal = await make('create_deal', {
      name: say('deal'),
      contact_ids: [contact.id],
      note: say('deal note'),
    })
    const talk = await make('log_interaction', {
      kind: 'call',
      summary_markdown: say('what was said'),
      contact_ids: [contact.id],
      next_step: say('next step'),
    })
    return {
      company: [company.id, `${word}.example`],
      contact: [contact.id, double.id, `contact@${word}.example`],
      deal: [deal.id],
      interaction: [talk.id],
      merged_contact: [merged.id],
    }
  },
  inside(own, planted) {
    const contact_id = own.contact![0]!
    return (planted.contact ?? []).map((id) => [
      'merge_contacts',
      { contact_id, duplicate_ids: [own.contact![1]!], prefer: { name: id }, dry_run: true },
      'contact',
    ])
  },
}
