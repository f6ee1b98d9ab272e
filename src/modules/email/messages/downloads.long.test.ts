import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Row } from '../../../records/resource.ts'
import { pdfOf } from '../../../testing/documents.ts'
import { messageText, startMailRig, type MailRig } from '../../../testing/mail/setup.ts'
import { noMail } from '../../../testing/servers/daemons.ts'

const skip = noMail
let rig: MailRig
let alice: Row<'accounts'>

before(async () => {
  if (skip) return
  rig = await startMailRig(['--no-smtp'])
  alice = await rig.connect(rig.workspace.ann, 'alice')
})
after(() => rig?.close())

/** A message with a PDF containing the words, and padding of a given size. */
function withPdf(id: string, words: string, padding = 0): string {
  const lines = (bytes: Uint8Array) =>
    Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  return messageText({
    id,
    subject: `Offer ${id}`,
    more: ['Content-Type: multipart/mixed; boundary=b'],
    body: [
      '--b',
      'Content-Type: text/plain',
      '',
      `See the offer of ${words}.`,
      '--b',
      'Content-Type: application/pdf; name=offer.pdf',
      'Content-Disposition: attachment; filename=offer.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      lines(pdfOf([words])),
      '--b',
      'Content-Type: application/octet-stream; name=padding.bin',
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      lines(new Uint8Array(padding + 10)),
      '--b--',
      '',
    ].join('\r\n'),
  })
}

const emailOf = (id: string) =>
  rig.rows<{ id: string; body_state: string }>(
    'select id, body_state from emails where message_id = ?',
    id,
  )[0]!
const pdfIn = (id: string) =>
  rig.rows<{ id: string; text_state: string }>(
    "select id, text_state from email_attachments where email_id = ? and name = 'offer.pdf'",
    emailOf(id).id,
  )[0]!

test('attachment text is searchable and readable after a sync, and its bytes are fetched from the server on request', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await rig.put('alice', 'INBOX', [withPdf('<a@else.test>', 'Aardvark seventeen')])
  await rig.sync(alice)
  const search = await ann.call('search_emails', { query: 'aardvark' })
  assert.deepEqual(search.items[0].matched_in.toSorted(), ['attachment', 'body'])
  const pdf = pdfIn('<a@else.test>')
  assert.equal(
    (await ann.call('get_email_attachment', { attachment_id: pdf.id })).content.text,
    'Aardvark seventeen',
  )
  const bytes = await ann.call('get_email_attachment', { attachment_id: pdf.id, format: 'base64' })
  assert.equal(bytes.base64, Buffer.from(pdfOf(['Aardvark seventeen'])).toString('base64'))
})

test('an attachment is copied unchanged into the drive, once per idempotency key', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const pdf = pdfIn('<a@else.test>')
  const args = { attachment_id: pdf.id, name: 'copy.pdf', idempotency_key: 'save-1' }
  const saved = await ann.call('save_email_attachment', args)
  assert.deepEqual([saved.name, saved.mime_type], ['copy.pdf', 'application/pdf'])
  assert.equal((await ann.call('save_email_attachment', args)).id, saved.id)
  const content = await ann.call('get_file_content', { file_id: saved.id, format: 'base64' })
  assert.equal(content.base64, Buffer.from(pdfOf(['Aardvark seventeen'])).toString('base64'))
})

test('for a large message the text is synced, and an attachment is fetched alone when read', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await rig.put('alice', 'INBOX', [withPdf('<b@else.test>', 'Badger four', 12 * 2 ** 20)])
  await rig.sync(alice)
  const detail = await ann.call('get_email', { email_id: emailOf('<b@else.test>').id })
  assert.match(detail.content.text, /See the offer of Badger four/)
  assert.equal(detail.attachments.length, 2)
  const pdf = pdfIn('<b@else.test>')
  assert.notEqual(pdf.text_state, 'ready')
  assert.equal(
    (await ann.call('get_email_attachment', { attachment_id: pdf.id })).content.text,
    'Badger four',
  )
  assert.equal(pdfIn('<b@else.test>').text_state, 'ready')
  assert.ok(
    (await ann.call('search_emails', { query: 'badger' })).items[0].matched_in.includes(
      'attachment',
    ),
  )
})

test('a missing body is fetched when the message is read', {
  skip,
}, async () => {
  const { ann, app } = rig.workspace
  await rig.put('alice', 'INBOX', [
    messageText({ id: '<c@else.test>', subject: 'Waiting', body: 'Caribou words.\r\n' }),
  ])
  await rig.sync(alice)
  const { id } = emailOf('<c@else.test>')
  const deleteBody = () =>
    app.store.writer.run(async () => {
      app.store.raw.write.prepare('delete from email_bodies where email_id = ?').run(id)
      app.store.raw.write.prepare("update emails set body_state = 'pending' where id = ?").run(id)
    })
  await deleteBody()
  assert.equal((await ann.call('get_email', { email_id: id })).content.text, 'Caribou words.')
  await deleteBody()
  const [email] = rig.rows<{ thread_id: string }>('select thread_id from emails where id = ?', id)
  assert.equal(
    (await ann.call('get_email_thread', { thread_id: email!.thread_id })).messages[0].content.text,
    'Caribou words.',
  )
})

test('while the server is down, local content is readable, the rest reports it, and responses stay fast', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const pdf = pdfIn('<a@else.test>')
  await rig.server.close()
  const startedAt = performance.now()
  assert.equal(
    (await ann.call('get_email_attachment', { attachment_id: pdf.id })).content.text,
    'Aardvark seventeen',
  )
  assert.equal(
    (await ann.refused('get_email_attachment', { attachment_id: pdf.id, format: 'base64' })).code,
    'unavailable',
  )
  assert.equal(
    (await ann.refused('save_email_attachment', { attachment_id: pdf.id })).code,
    'unavailable',
  )
  assert.ok(
    performance.now() - startedAt < 30_000,
    'calls do not wait for the timeout of a mail server',
  )
})
