import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import {
  plantEmail,
  plantMailbox,
  type GivenMail,
  type PlantedMailbox,
} from '../../../testing/mail/mailboxes.ts'
import { recountThreads } from '../threads/access.ts'

let workspace: TestWorkspace
let ann: Someone
let box: PlantedMailbox
let gmail: PlantedMailbox

before(async () => {
  workspace = await makeWorkspace()
  ann = workspace.ann
  const owner = (who: Someone, email = who.actor.email) => ({
    id: who.id,
    org_id: who.actor.org_id,
    email,
  })
  box = await plantMailbox(workspace.app.store, owner(ann), workspace.clock.now(), {
    folders: ['Receipts', 'Clients/Acme'],
  })
  gmail = await plantMailbox(
    workspace.app.store,
    owner(ann, 'ann@gmail.test'),
    workspace.clock.now(),
    { labels: true, folders: ['Travel'] },
  )
})
after(() => workspace.close())

const mail = (mail: GivenMail = {}, mailbox = box) =>
  plantEmail(mailbox, mail, workspace.clock.now())
const read = (sql: string, ...values: unknown[]) =>
  workspace.app.store.raw.read.prepare(sql).all(...values) as Record<string, any>[]
const rowOf = (id: string) => read('select * from emails where id = ?', id)[0]!
const threadOf = (id: string) => read('select * from mail_threads where id = ?', id)[0]!
const pushesOf = (id: string) =>
  Object.fromEntries(
    read(
      'select kind, wanted_json, version from mail_pushes where email_id = ? order by kind',
      id,
    ).map((item) => [item.kind, JSON.parse(item.wanted_json)]),
  )
const labelsOf = (id: string) =>
  read('select name from email_labels where email_id = ? order by name', id).map(
    (item) => item.name,
  )

test('marking as read takes effect at once, updates the thread count, and is pushed to the server', async () => {
  const plantedMail = await mail()
  assert.equal(threadOf(plantedMail.thread_id).unread_count, 1)
  const result = await ann.call('mark_emails_read', { email_ids: [plantedMail.id] })
  assert.equal(result.changed, 1)
  assert.equal(rowOf(plantedMail.id).unread, 0)
  assert.equal(threadOf(plantedMail.thread_id).unread_count, 0)
  assert.deepEqual(pushesOf(plantedMail.id), { flags: { unread: false } })
  const again = await ann.call('mark_emails_read', { email_ids: [plantedMail.id] })
  assert.deepEqual(
    [again.changed, again.skipped],
    [0, [{ id: plantedMail.id, title: 'Hello', reason: 'nothing to change' }]],
  )
})

test('undoing restores flags, location and labels and pushes them to the server', async () => {
  const plantedMail = await mail()
  const { uid } = rowOf(plantedMail.id)
  const { undo_call_id } = await ann.call('archive_emails', { email_ids: [plantedMail.id] })
  const inbox = box.folders.get('inbox')!.id
  const archived = rowOf(plantedMail.id)
  assert.deepEqual([archived.place, archived.uid], ['archive', null])
  assert.deepEqual(pushesOf(plantedMail.id), {
    move: { folder_id: archived.folder_id, from: { folder_id: inbox, uid } },
  })
  assert.equal(threadOf(plantedMail.thread_id).in_inbox, 0)
  const back = await ann.call('undo_api_call', { call_id: undo_call_id })
  assert.equal(back.undone, true, JSON.stringify(back))
  assert.equal(rowOf(plantedMail.id).place, 'inbox')
  assert.deepEqual(
    pushesOf(plantedMail.id),
    { move: { folder_id: inbox, from: { folder_id: inbox, uid } } },
    'the first move may be running',
  )
  assert.equal(threadOf(plantedMail.thread_id).in_inbox, 1)
})

test('an already applied move is undone by moving back', async () => {
  const plantedMail = await mail()
  const { undo_call_id } = await ann.call('move_emails', {
    email_ids: [plantedMail.id],
    folder: 'clients/acme',
  })
  const folder = box.folders.get('Clients/Acme')!.id
  assert.deepEqual(
    [rowOf(plantedMail.id).place, rowOf(plantedMail.id).folder_id],
    ['folder', folder],
  )
  await workspace.app.store.writer.run(async () => {
    await workspace.app.store.write
      .deleteFrom('mail_pushes')
      .where('email_id', '=', plantedMail.id)
      .execute() // as the push does
    await workspace.app.store.write
      .updateTable('emails')
      .set({ uid: 777 })
      .where('id', '=', plantedMail.id)
      .execute()
  })
  assert.equal((await ann.call('undo_api_call', { call_id: undo_call_id })).undone, true)
  assert.deepEqual(pushesOf(plantedMail.id), {
    move: { folder_id: box.folders.get('inbox')!.id, from: { folder_id: folder, uid: 777 } },
  })
})

test('the latest change wins: read, then unread again, then starred', async () => {
  const plantedMail = await mail()
  await ann.call('mark_emails_read', { email_ids: [plantedMail.id] })
  await ann.call('mark_emails_read', { email_ids: [plantedMail.id], read: false })
  await ann.call('label_emails', { email_ids: [plantedMail.id], add: ['starred'] })
  assert.deepEqual(pushesOf(plantedMail.id), { flags: { unread: true, starred: true } })
  assert.equal(
    read('select version from mail_pushes where email_id = ?', plantedMail.id)[0]!.version,
    3,
  )
})

test('a dry run shows what a search would archive, and changes nothing', async () => {
  const saleMails = [
    await mail({ from: 'shop@deals.test', subject: 'Autumn sale' }),
    await mail({ from: 'shop@deals.test', subject: 'Winter sale' }),
  ]
  const args = { query: 'from:shop@deals.test sale' }
  const preview = await ann.call('archive_emails', { ...args, dry_run: true })
  assert.deepEqual(preview.items.map((item: any) => item.title).sort(), [
    'Autumn sale',
    'Winter sale',
  ])
  assert.equal(rowOf(saleMails[0]!.id).place, 'inbox')
  assert.equal((await ann.refused('archive_emails', { ...args, max_items: 1 })).code, 'too_large')
  assert.equal((await ann.call('archive_emails', args)).changed, 2)
  assert.equal((await ann.call('archive_emails', args)).matched, 0)
})

test('a query that matches everything or cannot be parsed is refused', async () => {
  assert.match((await ann.refused('trash_emails', { query: '-in:spam' })).message, /every message/)
  assert.match((await ann.refused('trash_emails', { query: 'before:soon' })).message, /before:soon/)
  assert.equal((await ann.refused('trash_emails', {})).code, 'invalid_argument')
})

test('trashing erases nothing, and a move to the inbox restores the message', async () => {
  const first = await mail({ subject: 'Offer' })
  const second = await mail({ subject: 'Re: Offer', thread: first.thread_id })
  await ann.call('trash_emails', { thread_ids: [first.thread_id] })
  assert.deepEqual([rowOf(first.id).place, rowOf(second.id).place], ['trash', 'trash'])
  assert.equal(threadOf(first.thread_id).awaiting, 'none')
  const back = await ann.call('move_emails', { thread_ids: [first.thread_id], folder: 'inbox' })
  assert.equal(back.changed, 1)
  assert.deepEqual([rowOf(first.id).place, threadOf(first.thread_id).message_count], ['inbox', 2])
})

test('spam is a location: searches skip it, and the server learns that a message is junk or not', async () => {
  const plantedMail = await mail({ subject: 'Zwiebelkuchen recipe' })
  const indexedCount = () =>
    read('select count(*) as count from search_docs where item_id = ?', plantedMail.id)[0]!.count
  assert.ok(indexedCount() > 0)
  await ann.call('label_emails', { email_ids: [plantedMail.id], add: ['spam'] })
  assert.deepEqual(
    [rowOf(plantedMail.id).place, indexedCount(), pushesOf(plantedMail.id).flags],
    ['spam', 0, { spam: true }],
  )
  await ann.call('label_emails', { email_ids: [plantedMail.id], remove: ['spam'] })
  assert.equal(rowOf(plantedMail.id).place, 'inbox')
  assert.ok(indexedCount() > 0)
  assert.deepEqual(pushesOf(plantedMail.id).flags, { spam: false })
})

test('unknown labels are created only on request', async () => {
  const plantedMail = await mail()
  const refusal = await ann.refused('label_emails', {
    email_ids: [plantedMail.id],
    add: ['Tax 2026'],
  })
  assert.match(refusal.message, /no label "Tax 2026"/)
  await ann.call('label_emails', {
    email_ids: [plantedMail.id],
    add: ['Tax 2026', 'important'],
    create_missing: true,
  })
  await ann.call('label_emails', { email_ids: [plantedMail.id], add: ['tax 2026'] })
  assert.deepEqual(labelsOf(plantedMail.id), ['Tax 2026', 'important'])
  assert.deepEqual(pushesOf(plantedMail.id).labels, { add: ['Tax 2026', 'important'], remove: [] })
  await ann.call('label_emails', { email_ids: [plantedMail.id], remove: ['TAX 2026'] })
  assert.deepEqual(pushesOf(plantedMail.id).labels, { add: ['important'], remove: ['Tax 2026'] })
})

test('location names are not labels, and the refusal names the right operation', async () => {
  const plantedMail = await mail()
  assert.match(
    (await ann.refused('label_emails', { email_ids: [plantedMail.id], remove: ['inbox'] })).body()
      .message as string,
    /archive_emails/,
  )
  assert.equal(
    (await ann.refused('label_emails', { email_ids: [plantedMail.id], add: ['a'], remove: ['A'] }))
      .code,
    'invalid_argument',
  )
  assert.equal(
    (await ann.refused('label_emails', { email_ids: [plantedMail.id] })).code,
    'invalid_argument',
  )
})

test('in a label-based mailbox the inbox is a label, and a folder is a label', async () => {
  const plantedMail = await mail({}, gmail)
  await ann.call('archive_emails', { email_ids: [plantedMail.id] })
  assert.equal(rowOf(plantedMail.id).place, 'archive')
  assert.deepEqual(pushesOf(plantedMail.id), { labels: { add: [], remove: [], inbox: false } })
  await ann.call('move_emails', { email_ids: [plantedMail.id], folder: 'inbox' })
  await ann.call('move_emails', { email_ids: [plantedMail.id], folder: 'Travel' })
  assert.deepEqual([rowOf(plantedMail.id).place, labelsOf(plantedMail.id)], ['archive', ['Travel']])
  assert.deepEqual(pushesOf(plantedMail.id), {
    labels: { add: ['Travel'], remove: [], inbox: false },
  })
  await ann.call('trash_emails', { email_ids: [plantedMail.id] })
  assert.equal(pushesOf(plantedMail.id).move.folder_id, gmail.folders.get('trash')!.id)
  await ann.call('move_emails', { email_ids: [plantedMail.id], folder: 'inbox' })
  assert.deepEqual(pushesOf(plantedMail.id).labels, { add: ['Travel'], remove: [], inbox: true })
  assert.equal(pushesOf(plantedMail.id).move.folder_id, gmail.folders.get('all')!.id)
})

test('unknown folders are refused with the available ones, individually per message', async () => {
  const [here, there] = [await mail(), await mail({}, gmail)]
  const result = await ann.call('move_emails', {
    email_ids: [here.id, there.id],
    folder: 'Receipts',
  })
  assert.equal(result.changed, 1)
  assert.deepEqual(
    result.failed.map((item: any) => [item.id, item.code]),
    [[there.id, 'invalid_argument']],
  )
  assert.match(result.failed[0].message, /no folder "Receipts"/)
})

test('a mailbox is inaccessible to others, including administrators', async () => {
  const plantedMail = await mail()
  for (const who of [workspace.bob, workspace.eve]) {
    for (const tool of ['mark_emails_read', 'archive_emails', 'trash_emails']) {
      assert.equal((await who.refused(tool, { email_ids: [plantedMail.id] })).code, 'not_found')
      assert.equal(
        (await who.refused(tool, { thread_ids: [plantedMail.thread_id] })).code,
        'not_found',
      )
    }
    assert.equal((await who.call('archive_emails', { query: 'hello' })).matched, 0)
  }
})

test('the last writer of a thread determines who is waiting for whom', async () => {
  const question = await mail({ subject: 'Can you come?', from: 'kim@client.test' })
  assert.deepEqual([threadOf(question.thread_id).awaiting], ['me'])
  await mail({
    from: ann.actor.email,
    to: ['kim@client.test'],
    place: 'sent',
    text: 'Yes. Which room is it?',
    thread: question.thread_id,
    at: workspace.clock.now() + 1000,
  })
  assert.deepEqual(
    [threadOf(question.thread_id).awaiting, threadOf(question.thread_id).waiting_since],
    ['them', workspace.clock.now() + 1000],
  )
  const copied = await mail({ to: ['bob@acme.test'], cc: [ann.actor.email] })
  const list = await mail({ bulk: true })
  const robot = await mail({ from: 'no-reply@shop.test' })
  const away = await mail({ subject: 'Automatic reply: Offer' })
  for (const plantedMail of [copied, list, robot, away])
    assert.equal(threadOf(plantedMail.thread_id).awaiting, 'none', rowOf(plantedMail.id).subject)
})

test('a thread that the owner closed with a statement is not waiting', async () => {
  const awaiting = async (text: string, subject = 'Re: Logo') => {
    const firstMail = await mail({
      subject: 'Logo',
      from: 'carol@client.test',
      text: 'And the SVG?',
    })
    await mail({
      from: ann.actor.email,
      to: ['carol@client.test'],
      place: 'sent',
      thread: firstMail.thread_id,
      at: workspace.clock.now() + 1000,
      subject,
      text,
    })
    return threadOf(firstMail.thread_id).awaiting
  }
  for (const text of [
    'the dark version is approved. I send the SVG tomorrow.',
    'Thanks, will do.',
    'Please find attached the invoice. Let me know if you have any questions.',
    'Die dunkle Variante ist freigegeben. Ich schicke das SVG morgen.\n\nBei Rückfragen melden Sie sich gern.',
    'La version sombre est validée. Je vous envoie le SVG demain. Merci de votre patience.',
    'It is all on https://example.test/a?b=c and in [the list](https://example.test/?).',
    '> Do you have it?\n\nI have it, and the other one is on the way to you.',
  ])
    assert.equal(await awaiting(text), 'none', text)
  for (const text of [
    'the dark version is approved. Could you send the SVG by Friday?',
    'The dark version is approved. Send me the SVG by Friday.',
    'Die dunkle Variante ist freigegeben. Bitte schick das SVG bis Freitag.',
    'Ich warte noch auf deine Rückmeldung zu der dunklen Variante.',
    'La version sombre est validée. Merci de nous envoyer le SVG avant vendredi.',
    'La versión oscura está aprobada. Avísame cuando el SVG esté listo.',
    'Czekam na plik z ciemną wersją.', // requests in this language are not recognized
    '',
  ])
    assert.equal(await awaiting(text), 'them', text)
  assert.equal(await awaiting('The plan is in the folder.', 'Do you have the SVG?'), 'them')
})

test('a sent message is classified again when its text has arrived', async () => {
  const { store } = workspace.app
  const sent = await mail({
    from: ann.actor.email,
    to: ['carol@client.test'],
    place: 'sent',
    text: 'The dark version is approved.',
  })
  const body = read('select * from email_bodies where email_id = ?', sent.id)[0]!
  const runAndRecount = (sql: string, ...values: unknown[]) =>
    store.writer.run(async () => {
      store.raw.write.prepare(sql).run(...values)
      await recountThreads(store.write, [sent.thread_id])
    })
  assert.equal(threadOf(sent.thread_id).awaiting, 'none')
  await runAndRecount('delete from email_bodies where email_id = ?', sent.id)
  assert.equal(threadOf(sent.thread_id).awaiting, 'them')
  const columns = Object.keys(body)
  await runAndRecount(
    `insert into email_bodies (${columns.join()}) values (${columns.map(() => '?').join()})`,
    ...Object.values(body),
  )
  assert.equal(threadOf(sent.thread_id).awaiting, 'none')
})

test('a message returns to a folder where its UID has been reused, by moving and by undoing', async () => {
  const run = (sql: string, ...values: unknown[]) =>
    workspace.app.store.writer.run(async () => {
      workspace.app.store.raw.write.prepare(sql).run(...values)
    })
  const residentMail = await mail({ subject: 'Was always there' })
  const back = await mail({ subject: 'Comes back' })
  const { uid } = rowOf(residentMail.id)
  for (const moveBack of [
    () => ann.call('move_emails', { email_ids: [back.id], folder: 'inbox' }),
    (call_id: string) => ann.call('undo_api_call', { call_id }),
  ]) {
    const { undo_call_id } = await ann.call('archive_emails', { email_ids: [back.id] })
    const archive = rowOf(back.id).folder_id
    await run('delete from mail_pushes where email_id = ?', back.id) // the server has moved it
    await run('update emails set uid = ? where id = ?', uid, back.id)
    await moveBack(undo_call_id)
    assert.deepEqual([rowOf(back.id).place, rowOf(back.id).uid], ['inbox', null])
    assert.deepEqual(pushesOf(back.id).move.from, { folder_id: archive, uid })
    await run('delete from mail_pushes where email_id = ?', back.id)
  }
})
