#!/usr/bin/env node
import { mkdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { flags, freePorts, HOST, must, Stage, users, waitPort } from './stage.mjs'

const opts = flags(
  `
radicale.mjs - a real CalDAV and CardDAV server for tests: Radicale

  apt-get install -y --no-install-recommends radicale

  --users LIST       name:password,... (default alice:alice-secret,bob:bob-secret)
  --bare             make no collections; otherwise each user has the calendar
                     "personal" (events and tasks) and the address book "contacts"
  --introspect URL   take access tokens too ("Authorization: Bearer"), as Google's
                     CalDAV does: each is shown to URL (RFC 7662; the one mail.mjs
                     prints will do), and its email, or the name before the @,
                     says who it is

Ready line: host, port, url (CalDAV and CardDAV; /.well-known/caldav leads
there), users[{user,password,calendar,addressbook}].
`,
  {
    users: { type: 'string', default: 'alice:alice-secret,bob:bob-secret' },
    bare: { type: 'boolean' },
    introspect: { type: 'string' },
  },
)

const stage = new Stage('radicale', opts)
const at = (p) => join(stage.dir, p)
const [port, inner] = await freePorts(2)
const people = users(opts.users)
const front = opts.introspect // then Radicale stands behind this process, which says who is asking

mkdirSync(at('collections'))
must('chown', ['radicale', at('collections')])
stage.file('users', people.map((p) => `${p.user}:${p.pass}\n`).join(''))
stage.file(
  'config',
  `
[server]
hosts = ${HOST}:${front ? inner : port}
max_connections = 50
[auth]
type = ${front ? 'http_x_remote_user' : 'htpasswd'}
htpasswd_filename = ${at('users')}
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = ${at('collections')}
[web]
type = none
[logging]
level = info
`,
)
const server = stage.start('radicale', '/usr/bin/radicale', ['--config', at('config')], {
  user: 'radicale',
})
await waitPort(front ? inner : port, server)

if (front) {
  const who = async (header = '') => {
    const [kind, value] = header.split(' ')
    if (kind === 'Basic') {
      const credentials = Buffer.from(value, 'base64').toString()
      return people.find((p) => credentials === `${p.user}:${p.pass}`)?.user
    }
    if (kind !== 'Bearer') return undefined
    const tokenInfo = await (
      await fetch(front, { method: 'POST', body: new URLSearchParams({ token: value }) })
    ).json()
    return tokenInfo.active
      ? people.find((p) => p.user === tokenInfo.email || p.user === tokenInfo.email?.split('@')[0])
          ?.user
      : undefined
  }
  const proxy = createServer(async (req, res) => {
    const user = await who(req.headers.authorization).catch(() => undefined)
    if (!user && !req.url.startsWith('/.well-known/')) {
      res.writeHead(401, { 'www-authenticate': 'Bearer realm="test", Basic realm="test"' }).end()
      return
    }
    const { authorization, ...headers } = req.headers
    req.pipe(
      request(
        {
          host: HOST,
          port: inner,
          method: req.method,
          path: req.url,
          headers: { ...headers, ...(user ? { 'x-remote-user': user } : {}) },
        },
        (r) => {
          res.writeHead(r.statusCode, r.headers)
          r.pipe(res)
        },
      ).on('error', () => res.writeHead(502).end()),
    )
  })
  await new Promise((ok, no) => proxy.once('error', no).listen(port, HOST, ok))
  stage.undo(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
}

const url = `http://${HOST}:${port}/`
async function make({ user, pass }, name, body) {
  const r = await fetch(`${url}${user}/${name}/`, {
    method: 'MKCOL',
    body,
    headers: {
      'content-type': 'application/xml',
      authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`,
    },
  })
  if (r.status !== 201) throw new Error(`MKCOL ${name}: ${r.status}`)
}
const col = (
  ns,
  type,
  name,
  more = '',
) => `<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:${ns}"><set><prop>
<resourcetype><collection/><C:${type}/></resourcetype><displayname>${name}</displayname>${more}</prop></set></mkcol>`
if (!opts.bare) {
  for (const p of people) {
    await make(
      p,
      'personal',
      col(
        'caldav',
        'calendar',
        'Personal',
        '<C:supported-calendar-component-set><C:comp name="VEVENT"/><C:comp name="VTODO"/></C:supported-calendar-component-set>',
      ),
    )
    await make(p, 'contacts', col('carddav', 'addressbook', 'Contacts'))
  }
}
stage.ready({
  host: HOST,
  port,
  url,
  users: people.map(({ user, pass }) => ({
    user,
    password: pass,
    ...(opts.bare
      ? {}
      : { calendar: `${url}${user}/personal/`, addressbook: `${url}${user}/contacts/` }),
  })),
})
