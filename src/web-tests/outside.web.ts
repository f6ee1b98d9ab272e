import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Queue } from '../jobs/queue.ts'
import {
  noDav,
  noMail,
  startMail,
  startRadicale,
  type DavDaemon,
  type MailDaemon,
} from '../testing/servers/daemons.ts'
import { startMailbox, type Mailbox } from '../testing/servers/mailbox.ts'
import { noChromium, openWeb, password, type Web } from './setup.ts'

// Tests flows that leave the app and return: Google's consent, a calendar server, an invitation by mail, and
// confirmation by passkey.

const skip = noChromium ?? noMail ?? noDav
const secretFile = `/tmp/workspace-web-google-${process.pid}.secret`
let web: Web
let mail: MailDaemon
let dav: DavDaemon
let mailbox: Mailbox
before(async () => {
  if (skip) return
  ;[mail, dav, mailbox] = await Promise.all([
    startMail(['--users', 'ann:ann-secret-1']),
    startRadicale(['--users', 'bob:bob-dav-secret']),
    startMailbox(),
  ])
  setDefaultCACertificates([...getCACertificates(), readFileSync(mail.ca, 'utf8')])
  writeFileSync(secretFile, `${mail.oauth.clientSecret}\n`)
  const { authorize, token, revoke, userinfo, clientId } = mail.oauth
  const endpoint = (port: number) => ({ host: mail.host, port, tls: 'tls' as const })
  const ports = [mail.imap.tlsPort, mail.smtp.tlsPort, dav.port, new URL(mail.oauth.url).port]
  web = await openWeb(undefined, {
    google_client_id: clientId,
    google_client_secret_file: secretFile,
    google_endpoints: JSON.stringify({
      authorize,
      token,
      revoke,
      userinfo,
      imap: endpoint(mail.imap.tlsPort),
      smtp: endpoint(mail.smtp.tlsPort),
      caldav: dav.url,
    }),
    mail_server: mailbox.url,
    mail_from: 'workspace@acme.test',
    outbound_allow: [...ports.map((port) => `${mail.host}:${port}`), mailbox.opening].join(','),
  })
})
after(async () => {
  await web?.close()
  await Promise.all([mail?.close(), dav?.close(), mailbox?.close()])
  rmSync(secretFile, { force: true })
})

const accountsOf = (id: string) =>
  web.app.store.raw.read
    .prepare(
      'SELECT provider, address, has_mail, has_calendar, has_drive FROM accounts WHERE owner_id = ? AND removed_at IS NULL',
    )
    .all(id)
    .map((row) => ({ ...(row as object) }))

test('a Google account is connected through the Google consent page, which redirects back', {
  skip,
}, async () => {
  const ann = await web.visit(web.ann)
  const { page } = ann
  // Google asks the person to choose an account; the test page reads it from the address.
  await page.route(`${mail.oauth.authorize}**`, (route) =>
    route.continue({ url: `${route.request().url()}&login_hint=ann%40example.test` }),
  )
  await ann.go('/settings/accounts/add')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('checkbox', { name: 'Files' }).uncheck()
  await page.getByRole('button', { name: 'Continue to Google' }).click()
  await page.getByRole('heading', { name: 'The account is connected' }).waitFor()
  await page.getByText('ann@example.test is connected: mail, calendars.').waitFor()
  assert.deepEqual(accountsOf(web.ann.id), [
    { provider: 'google', address: 'ann@example.test', has_mail: 1, has_calendar: 1, has_drive: 0 },
  ])
  await ann.checkPage('google-connected')
  await page.reload()
  await page.getByRole('heading', { name: 'The account was not connected' }).waitFor()
  await page.getByText('This sign-in was not started here, or has expired.').waitFor()
  await page.getByRole('link').first().click()
  await ann.waitUntilSettled()
  assert.ok(page.url().startsWith(`${web.url}/`))
  assert.deepEqual(
    ann.problems.filter(
      (problem) => !problem.startsWith(`external request: ${mail.oauth.authorize}`),
    ),
    [],
  )
})

test('calendars are connected by server; a wrong password is reported without losing input', {
  skip,
}, async () => {
  const bob = await web.visit(web.bob)
  const { page } = bob
  const {
    url,
    users: [user],
  } = dav
  await bob.go('/settings/accounts/add')
  await page.getByRole('button', { name: 'Only calendars (CalDAV)' }).click()
  await page.getByLabel('Email address').fill('bob@example.test')
  await page.getByLabel('Address of the server').fill(url)
  await page.getByLabel('User name').fill(user!.user)
  await page.getByLabel('Password').first().fill('wrong')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.locator('.mantine-InputWrapper-error, [role=alert]').first().waitFor()
  assert.equal(await page.getByLabel('User name').inputValue(), user!.user)
  assert.deepEqual(accountsOf(web.bob.id), [])
  await page.getByLabel('Password').first().fill(user!.password)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'bob@example.test' }).waitFor()
  assert.deepEqual(accountsOf(web.bob.id), [
    { provider: 'caldav', address: 'bob@example.test', has_mail: 0, has_calendar: 1, has_drive: 0 },
  ])
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await page.getByText('The connection works.').waitFor()
  await bob.checkPage('account-caldav')
  assert.deepEqual(
    bob.problems.filter((problem) => !/^502 .*\/web\/accounts\//.test(problem)),
    [],
  ) // what a provider refuses is a 502
})

test('an invitation is mailed from the page, and its recipient joins through the link', {
  skip,
}, async () => {
  const ann = await web.visit(web.ann)
  const { page } = ann
  await ann.go('/settings/people')
  await page.getByRole('button', { name: 'Invite someone' }).click()
  await page.getByLabel('Email address').fill('nora@acme.test')
  await page.getByRole('button', { name: 'Create the invitation' }).click()
  await page
    .getByRole('dialog', { name: 'The invitation is ready' })
    .getByRole('button', { name: 'Send by mail' })
    .click()
  await page.getByText('The invitation is on its way.').waitFor()
  await new Queue(web.app).drain()
  await page.getByRole('button', { name: 'Done' }).click()
  await ann.go('/settings/people')
  await page.getByText('mailed').waitFor()
  await ann.checkPage('people-mailed')
  const raw = mailbox.letters[0]!.raw.replaceAll('=\r\n', '')
  const link = raw.match(new RegExp(`${web.url}/invite/[\\w-]{43}`))![0]
  const nora = await web.visit()
  await nora.page.goto(link)
  await nora.waitUntilSettled()
  await nora.page.getByLabel('Your name').fill('Nora')
  await nora.page.getByRole('textbox', { name: 'Password' }).fill(password)
  await nora.page.getByRole('button', { name: 'Join' }).click()
  await nora.page.getByRole('heading', { name: 'Hello, Nora' }).waitFor()
  ann.assertNoProblems()
  nora.assertNoProblems()
})

test('after a quarter of an hour a passkey confirms the identity, and the started action continues', {
  skip,
}, async () => {
  const carol = await web.visit(web.carol)
  const { page } = carol
  const devtools = await carol.context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await carol.go('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const passkeyDialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await passkeyDialog.getByLabel('Name').fill('laptop')
  await passkeyDialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('“laptop” was added.').waitFor()
  web.clock.wait(16 * 60_000)
  await carol.go('/settings/integrations/api-keys')
  await page.getByRole('button', { name: 'Generate Key' }).first().click()
  const keyDialog = page.getByRole('dialog', { name: 'Generate a key' })
  await keyDialog.getByLabel('Name').fill('by passkey')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await keyDialog.getByRole('button', { name: 'Generate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  await dialog.getByRole('button', { name: /passkey/ }).click()
  await dialog.locator('.mantine-InputWrapper-error').waitFor() // the device did not verify the user
  await carol.checkPage('verify-refused')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await dialog.getByRole('button', { name: /passkey/ }).click()
  await page.getByRole('dialog', { name: 'Your key “by passkey”' }).waitFor()
  carol.assertNoProblems()
})
