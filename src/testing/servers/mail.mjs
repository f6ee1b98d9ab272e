#!/usr/bin/env node
import { mkdirSync, chownSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { flags, freePorts, HOST, must, Stage, users, waitPort } from './stage.mjs'
import { OAuth } from './oauth.mjs'

const opts = flags(
  `
mail.mjs - a real mail service for tests: Dovecot (IMAP, LMTP) + Postfix (submission)

  apt-get install -y --no-install-recommends dovecot-imapd dovecot-lmtpd postfix openssl

IMAP has IDLE, CONDSTORE, QRESYNC, MOVE, SPECIAL-USE; login by password, and by
XOAUTH2 or OAUTHBEARER with an access token of the OAuth provider in this
process. Mail sent by authenticated submission (STARTTLS or TLS) to a user of
the domain arrives in that user's INBOX over LMTP; mail to an unknown user comes
back as a bounce; mail to any other domain is refused at RCPT.

  --users LIST    name:password,... (default alice:alice-secret,bob:bob-secret);
                  an account's address and login is name@domain
  --domain NAME   default example.test
  --no-smtp       Dovecot only
  --mechs LIST    SASL mechanisms, default "plain login xoauth2 oauthbearer"
  --hide LIST     IMAP capabilities not to announce, e.g. "CONDSTORE QRESYNC IDLE MOVE",
                  to see a client do without them
  --token-ttl S   life of access tokens in seconds, default 3600

Ready line: host, imap{port,tlsPort}, smtp{port,tlsPort}, lmtp{port},
oauth{url,clientId,clientSecret,authorize,token,revoke,introspect,userinfo},
control, ca (PEM file to trust; the certificate is for localhost and 127.0.0.1),
users[{address,user,password}].

Control (GET or POST, at the control URL):
  /control/issue?user=ADDRESS[&expires_in=S]   a new grant, as if consent were given
  /control/expire     every access token given so far is expired now
  /control/fail?error=invalid_grant[&status=400]   /token answers that; no error= ends it
  /control/calls      how often each path was asked
  /control/kill       Dovecot is killed (SIGKILL, all its processes)
  /control/stop       Dovecot is stopped in order
  /control/start      Dovecot is started again on the same ports and data
`,
  {
    users: { type: 'string', default: 'alice:alice-secret,bob:bob-secret' },
    domain: { type: 'string', default: 'example.test' },
    hide: { type: 'string', default: '' },
    mechs: { type: 'string', default: 'plain login xoauth2 oauthbearer' },
    'no-smtp': { type: 'boolean' },
    'token-ttl': { type: 'string', default: '3600' },
  },
)

const stage = new Stage('mail', opts)
const at = (p) => join(stage.dir, p)
const [imap, imaps, lmtp, http, smtp, smtps] = await freePorts(6)
const people = users(opts.users).map(({ user, pass }) => ({
  address: `${user}@${opts.domain}`,
  user: `${user}@${opts.domain}`,
  password: pass,
}))

// --- certificate -----------------------------------------------------------
must('openssl', [
  'req',
  '-x509',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:prime256v1',
  '-nodes',
  '-days',
  '2',
  '-subj',
  '/CN=localhost',
  '-addext',
  'subjectAltName=DNS:localhost,IP:127.0.0.1',
  '-keyout',
  at('key.pem'),
  '-out',
  at('cert.pem'),
])

// --- OAuth provider, and the levers for tests --------------------------------
let dovecot
const oauth = new OAuth({
  clientId: 'test-client',
  clientSecret: 'test-secret',
  ttl: Number(opts['token-ttl']),
  actions: {
    '/control/kill': () => stage.stop('dovecot', true),
    '/control/stop': () => stage.stop('dovecot'),
    '/control/start': () => startDovecot(),
  },
})
await oauth.listen(http)
stage.undo(() => oauth.close())
const url = `http://${HOST}:${http}`

// Capabilities that this Dovecot announces after login; --hide removes some.
const hide = opts.hide.toUpperCase().split(/[\s,]+/)
const capabilities =
  `IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT SORT=DISPLAY THREAD=REFERENCES THREAD=REFS
  THREAD=ORDEREDSUBJECT MULTIAPPEND URL-PARTIAL CATENATE UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED I18NLEVEL=1
  CONDSTORE QRESYNC ESEARCH ESORT SEARCHRES WITHIN CONTEXT=SEARCH LIST-STATUS BINARY MOVE SNIPPET=FUZZY PREVIEW=FUZZY
  PREVIEW STATUS=SIZE SAVEDATE LITERAL+ NOTIFY SPECIAL-USE`
    .split(/\s+/)
    .filter((c) => !hide.includes(c))
    .join(' ')

// --- Dovecot -----------------------------------------------------------------
const uid = Number(must('id', ['-u', 'mail'])),
  gid = Number(must('id', ['-g', 'mail']))
mkdirSync(at('home'))
chownSync(at('home'), uid, gid)
stage.file('passwd', people.map((p) => `${p.user}:{PLAIN}${p.password}::::::\n`).join(''))
stage.file(
  'oauth2.conf',
  `
introspection_mode = post
introspection_url = ${url}/introspect
username_attribute = email
active_attribute = active
active_value = true
`,
)
stage.file(
  'dovecot.conf',
  `
base_dir = ${at('run')}
state_dir = ${at('state')}
instance_name = ${stage.dir.split('/').pop()}
log_path = ${at('dovecot-server.log')}
protocols = imap lmtp
listen = ${HOST}
ssl = yes
ssl_cert = <${at('cert.pem')}
ssl_key = <${at('key.pem')}
disable_plaintext_auth = no
auth_mechanisms = ${opts.mechs}
auth_failure_delay = 0
auth_cache_size = 0
mail_location = maildir:~/Maildir
mail_uid = ${uid}
mail_gid = ${gid}
first_valid_uid = 1
mail_max_userip_connections = 100
mail_fsync = never
lmtp_save_to_detail_mailbox = no
recipient_delimiter = +
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${at('oauth2.conf')}
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = ${at('passwd')}
}
userdb {
  driver = passwd-file
  args = ${at('passwd')}
  default_fields = uid=${uid} gid=${gid} home=${at('home')}/%u
}
${opts.hide ? `imap_capability = ${capabilities}\n` : ''}namespace inbox {
  inbox = yes
  separator = /
${['Drafts', 'Sent', 'Trash', 'Junk', 'Archive'].map((n) => `  mailbox ${n} {\n    auto = subscribe\n    special_use = \\${n}\n  }`).join('\n')}
}
service imap-login {
  inet_listener imap {
    port = ${imap}
  }
  inet_listener imaps {
    port = ${imaps}
    ssl = yes
  }
  service_count = 0
}
service lmtp {
  inet_listener lmtp {
    port = ${lmtp}
  }
}
service auth {
  unix_listener ${at('sasl')} {
    mode = 0666
  }
}
`,
)
async function startDovecot() {
  rmSync(at('run'), { recursive: true, force: true }) // sockets of one that was killed
  dovecot = stage.start('dovecot', 'dovecot', ['-F', '-c', at('dovecot.conf')])
  for (const p of [imap, imaps, lmtp]) await waitPort(p, dovecot)
}
await startDovecot()

// --- Postfix -----------------------------------------------------------------
if (!opts['no-smtp']) {
  // Creates the spool manually: `postfix check` would do it too, but takes three seconds.
  for (const d of ['postfix', 'postfix/etc', 'postfix/spool', 'postfix/spool/pid', 'postfix/data'])
    mkdirSync(at(d))
  const spoolDirs = [
    'active',
    'bounce',
    'corrupt',
    'defer',
    'deferred',
    'flush',
    'hold',
    'incoming',
    'private',
    'saved',
    'trace',
    'maildrop',
    'public',
  ].map((d) => at(`postfix/spool/${d}`))
  for (const d of spoolDirs) mkdirSync(d)
  must('chown', ['postfix', at('postfix/data'), ...spoolDirs])
  must('chgrp', ['postdrop', ...spoolDirs.slice(-2)])
  must('chmod', ['1730', spoolDirs.at(-2)])
  must('chmod', ['2710', spoolDirs.at(-1)])
  stage.file(
    'postfix/etc/main.cf',
    `
compatibility_level = 3.6
queue_directory = ${at('postfix/spool')}
data_directory = ${at('postfix/data')}
maillog_file = ${at('postfix-server.log')}
maillog_file_prefixes = ${stage.dir}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = ${HOST}
inet_protocols = ipv4
myhostname = mail.${opts.domain}
mydestination =
mynetworks =
alias_maps =
virtual_mailbox_domains = ${opts.domain}
virtual_transport = lmtp:inet:${HOST}:${lmtp}
default_transport = error:5.7.1 this test server sends nothing outside
relay_domains =
recipient_delimiter = +
message_size_limit = 36700160
smtpd_tls_security_level = may
smtpd_tls_cert_file = ${at('cert.pem')}
smtpd_tls_key_file = ${at('key.pem')}
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${at('sasl')}
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = reject_unauth_destination, permit_sasl_authenticated, reject
smtpd_error_sleep_time = 0
smtpd_delay_open_until_valid_rcpt = no
`,
  )
  const daemons = [
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'error unix - - n - - error',
    'lmtp unix - - n - - lmtp',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'proxymap unix - - n - - proxymap',
    'postlog unix-dgram n - n - 1 postlogd',
    'pickup unix n - n 60 1 pickup',
  ]
  stage.file(
    'postfix/etc/master.cf',
    `${HOST}:${smtp} inet n - n - - smtpd
  -o syslog_name=submission
${HOST}:${smtps} inet n - n - - smtpd
  -o syslog_name=submissions -o smtpd_tls_wrappermode=yes
${daemons.join('\n')}
`,
  )
  const pf = stage.start('postfix', '/usr/lib/postfix/sbin/master', ['-c', at('postfix/etc'), '-d'])
  for (const p of [smtp, smtps]) await waitPort(p, pf)
}

stage.ready({
  host: HOST,
  imap: { port: imap, tlsPort: imaps },
  ...(opts['no-smtp'] ? {} : { smtp: { port: smtp, tlsPort: smtps } }),
  lmtp: { port: lmtp },
  oauth: {
    url,
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    ...Object.fromEntries(
      ['authorize', 'token', 'revoke', 'introspect', 'userinfo'].map((n) => [n, `${url}/${n}`]),
    ),
  },
  control: `${url}/control`,
  ca: at('cert.pem'),
  users: people,
})
