import { daysFrom } from '../days.ts'
import { plantEmail, plantMailbox } from '../mail/mailboxes.ts'
import { literals, nowOf, type Planter } from './planter.ts'

/** A mailbox with conversations, a label, an attachment and a rule. What comes from outside no operation makes, so it is put into the database. */
export const email: Planter = {
  async plant(make, say, around, store) {
    const rule = await make('create_email_rule', {
      name: say('rule'),
      conditions: { all: [{ field: 'subject', op: 'contains', value: say('never') }] },
      actions: [{ type: 'star' }],
    })
    const gone = await make('create_email_rule', {
      name: say('trashed rule'),
      conditions: { all: [{ field: 'subject', op: 'contains', value: say('never') }] },
      actions: [{ type: 'star' }],
    })
    await make('delete_email_rule', { rule_id: gone.id })
    const known = { email_rule: [rule.id], trashed: [gone.id] }
    if (!store) return known
    const { person, organization } = await make('get_me')
    const now = (await nowOf(make)) - 60_000
    const word = say('x').split(' ')[0]!
    const box = await plantMailbox(
      store,
      { id: person.id, org_id: organization.id, email: `${word}-${person.id.slice(-6)}@mail.test` },
      now,
      { folders: [say('folder')] },
    )
    const first = await plantEmail(
      box,
      {
        from: `${word}@elsewhere.test`,
        fromName: say('sender'),
        subject: say('subject'),
        text: say('text of a mail'),
        labels: [say('label')],
        attachments: [
          { name: `${word}.txt`, text: say('text of an attachment'), file: around.file?.[0] },
        ],
        headers: [{ name: 'X-Planted', value: say('header') }],
      },
      now,
    )
    const second = await plantEmail(
      box,
      {
        from: `${word}@elsewhere.test`,
        fromName: say('sender'),
        subject: say('other subject'),
        text: say('other text'),
        place: 'folder',
        folder: say('folder'),
      },
      now,
    )
    const draft = await make('create_email_draft', {
      account_id: box.account.id,
      to: [`${word}@elsewhere.test`],
      subject: say('draft'),
      body_markdown: say('text of a draft'),
    })
    const day = daysFrom(now)
    const scheduled = await make('schedule_email', {
      account_id: box.account.id,
      to: [`${word}@elsewhere.test`],
      subject: say('scheduled'),
      body_markdown: say('text for later'),
      send_at: `${day(45)}T09:00:00Z`,
    })
    const template = await make('create_email_template', {
      name: say('template'),
      subject: say('subject of a template'),
      body_markdown: say('text of a template'),
    })
    await store.writer.run(() =>
      store.write
        .updateTable('accounts')
        .set({ status: 'disabled' })
        .where('id', '=', box.account.id)
        .execute(),
    ) // nobody calls a server that is not there
    return {
      ...known,
      email_draft: [draft.id],
      scheduled_email: [scheduled.id],
      email_template: [template.id],
      email_account: [box.account.id],
      email: [first.id, second.id],
      thread: [first.thread_id, second.thread_id],
      email_attachment: first.attachments,
    }
  },
  rows: (planted) => ({
    accounts: `id IN (${literals(planted.email_account)})`,
    mail_folders: `account_id IN (${literals(planted.email_account)})`,
    mail_threads: `account_id IN (${literals(planted.email_account)})`,
    mail_pushes: `account_id IN (${literals(planted.email_account)})`,
    email_drafts: `account_id IN (${literals(planted.email_account)})`,
    scheduled_emails: `account_id IN (${literals(planted.email_account)})`,
    email_templates: `id IN (${literals(planted.email_template)})`,
    emails: `account_id IN (${literals(planted.email_account)})`,
    email_rules: `id IN (${literals([...(planted.email_rule ?? []), ...(planted.trashed ?? [])])})`,
    ...Object.fromEntries(
      ['email_addresses', 'email_labels', 'email_bodies', 'email_attachments'].map((table) => [
        table,
        `email_id IN (${literals(planted.email)})`,
      ]),
    ),
  }),
}
