import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { plantMailbox, type PlantedMailbox } from '../../testing/mail/mailboxes.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { modules } from '../index.ts'

// Tests which account is used if none is named, and if an address is given, for people with several
// accounts, some of them switched off.

let served: ServedWorkspace
let browser: Browser
let first: PlantedMailbox
let second: PlantedMailbox
before(async () => {
  const modulesWithoutSync = modules.map((module) =>
    ['email', 'calendar', 'drive'].includes(module.name)
      ? { ...module, jobs: [], schedules: [], ticks: [] }
      : module,
  ) // there are no servers
  served = await serveWorkspace({ modules: modulesWithoutSync })
  await givePasswords(served, served.ann)
  browser = await new Browser(served).signIn('ann@acme.test')
  const { id, actor } = served.ann
  const owner = { id, org_id: actor.org_id, email: 'ann@acme.test' }
  first = await plantMailbox(served.app.store, owner, 1_000)
  second = await plantMailbox(served.app.store, owner, 2_000, { address: 'ann@home.test' })
  await plantCalendars('ann@acme.test')
})
after(() => served.close())

/** A calendar account with the same address, as the documentation suggests. */
async function plantCalendars(address: string): Promise<void> {
  const { store } = served.app
  await store.writer.run(async () => {
    await store.write
      .insertInto('accounts')
      .values({
        ...first.account,
        id: newId('mac', 500),
        provider: 'caldav',
        address,
        has_mail: 0,
        has_calendar: 1,
        is_default: 0,
      })
      .execute()
  })
}

const switchAccount = async (box: PlantedMailbox, how: 'enable' | 'disable') =>
  assert.equal((await browser.post(`/web/accounts/${box.account.id}/${how}`)).status, 200)
const defaults = async () =>
  (await served.ann.call('list_email_accounts')).items
    .filter((item: { default: boolean }) => item.default)
    .map((item: { id: string }) => item.id)
const letter = { to: ['somebody@elsewhere.test'], subject: 'Hello', body_markdown: 'Hello' }
const accountOf = async () => (await served.ann.call('create_email_draft', letter)).account_id

test('the default moves away from a disabled account, and exists as long as one account is enabled', async () => {
  assert.deepEqual(await defaults(), [first.account.id])
  await switchAccount(first, 'disable')
  assert.deepEqual(await defaults(), [second.account.id])
  assert.equal(await accountOf(), second.account.id)
  await switchAccount(second, 'disable')
  assert.deepEqual(await defaults(), [])
  await switchAccount(first, 'enable')
  assert.deepEqual(await defaults(), [first.account.id])
  await switchAccount(second, 'enable')
  assert.deepEqual(await defaults(), [first.account.id], 'an existing default stays')
  const { json } = await browser.post(`/web/accounts/${second.account.id}`, { default: true })
  assert.equal(json.default, true)
  assert.deepEqual(await defaults(), [second.account.id])
  await switchAccount(first, 'disable')
  const refused = await browser.post(`/web/accounts/${first.account.id}`, { default: true })
  assert.deepEqual([refused.status, refused.json.field], [400, 'default'])
  await switchAccount(first, 'enable')
})

test('a mailbox disabled by other means is not used either', async () => {
  const { store } = served.app
  await store.writer.run(() =>
    store.write
      .updateTable('accounts')
      .set({ status: 'disabled' })
      .where('id', '=', second.account.id)
      .execute(),
  )
  assert.equal(await accountOf(), first.account.id)
  await store.writer.run(() =>
    store.write
      .updateTable('accounts')
      .set({ status: 'active' })
      .where('id', '=', second.account.id)
      .execute(),
  )
})

test('an older database gets its default by a migration', async () => {
  const { raw } = served.app.store
  const migration = readFileSync(
    new URL('../../db/migrations/032-default-accounts.sql', import.meta.url),
    'utf8',
  )
  await served.app.store.writer.run(async () => {
    raw.write
      .prepare("UPDATE accounts SET is_default = 1, status = 'disabled' WHERE id = ?")
      .run(second.account.id)
    raw.write.exec(migration)
  })
  assert.deepEqual(await defaults(), [first.account.id])
  await switchAccount(second, 'enable')
  await served.app.store.writer.run(async () => void raw.write.exec(migration))
  assert.deepEqual(await defaults(), [first.account.id], 'a person who has one keeps it')
})

test('an address selects the account with mail for mail, and the one with calendars for calendars', async () => {
  const { ann } = served
  const draft = await ann.call('create_email_draft', { ...letter, account_id: 'ann@acme.test' })
  assert.equal(draft.account_id, first.account.id)
  assert.equal((await ann.call('list_emails', { account_id: 'ann@acme.test' })).items.length, 0)
  assert.equal((await ann.call('list_calendars', { account_id: 'ann@acme.test' })).items.length, 0)
})

test('for two mailboxes with one address the candidates are distinguishable', async () => {
  const { ann } = served
  const { store } = served.app
  await store.writer.run(async () => {
    await store.write
      .insertInto('accounts')
      .values({
        ...first.account,
        id: newId('mac', 3_000),
        provider: 'google',
        status: 'reauth_required',
        is_default: 0,
      })
      .execute()
  })
  const refused = await ann.refused('list_emails', { account_id: 'ann@acme.test' })
  assert.ok(refused instanceof Refusal)
  assert.deepEqual(
    [refused.code, refused.more.field, refused.more.next?.tool],
    ['invalid_argument', 'account_id', 'list_email_accounts'],
  )
  const candidates = (
    refused.more.context!.candidates as { provider: string; status: string; services: string[] }[]
  ).map(({ provider, status, services }) => [provider, status, services.join()])
  assert.deepEqual(candidates.sort(), [
    ['google', 'reauth_required', 'mail'],
    ['imap', 'active', 'mail'],
  ])
})
