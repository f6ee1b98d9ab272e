// Finds the mail and calendar servers of an address from known providers and domain records. It makes no requests: it
// only parses their answers.

export interface MailServer {
  host: string
  port: number
  /** `tls`: from the first byte; `start`: with STARTTLS. */
  tls: 'tls' | 'start'
}

export interface DiscoveredServers {
  imap?: MailServer
  smtp?: MailServer
  caldav?: { url: string }
  /** User name on that server. */
  login: string
  /** Note for the person about steps required before it works. */
  note?: string
}

interface Provider {
  /** Domains of its addresses. */
  domains: readonly string[]
  /** Suffixes of the mail hosts for the domains that the provider hosts. */
  mailHosts: readonly string[]
  imap?: string
  /** Port 587 means STARTTLS. */
  smtp?: string
  caldav?: string
  note?: string
  /** Accounts are opened through Google's consent page. */
  isGoogle?: true
}

const appPassword = (where: string) =>
  `Your usual password does not work here: create an app password (${where}) and enter it.`

const providers: readonly Provider[] = [
  {
    domains: ['gmail.com', 'googlemail.com'],
    mailHosts: ['google.com', 'googlemail.com'],
    imap: 'imap.gmail.com',
    smtp: 'smtp.gmail.com',
    isGoogle: true,
    note:
      appPassword('myaccount.google.com/apppasswords, with 2-Step Verification on') +
      ' Signing in with Google also connects calendars and files.',
  },
  {
    domains: [
      'outlook.com',
      'hotmail.com',
      'live.com',
      'msn.com',
      'outlook.de',
      'hotmail.de',
      'hotmail.fr',
      'hotmail.co.uk',
      'live.de',
      'live.fr',
    ],
    mailHosts: ['outlook.com', 'olc.protection.outlook.com'],
    imap: 'outlook.office365.com',
    smtp: 'smtp-mail.outlook.com:587',
    note: 'Microsoft no longer accepts passwords for IMAP, only its own sign-in, which this version does not support: most such accounts cannot be connected.',
  },
  {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    mailHosts: ['mail.icloud.com'],
    imap: 'imap.mail.me.com',
    smtp: 'smtp.mail.me.com:587',
    caldav: 'https://caldav.icloud.com/',
    note: appPassword('account.apple.com, under Sign-In and Security'),
  },
  {
    domains: ['fastmail.com', 'fastmail.fm', 'messagingengine.com'],
    mailHosts: ['messagingengine.com'],
    imap: 'imap.fastmail.com',
    smtp: 'smtp.fastmail.com',
    caldav: 'https://caldav.fastmail.com/',
    note: appPassword('Settings, Privacy & Security, Manage app passwords'),
  },
  {
    domains: [
      'yahoo.com',
      'yahoo.de',
      'yahoo.fr',
      'yahoo.es',
      'yahoo.it',
      'yahoo.co.uk',
      'ymail.com',
      'rocketmail.com',
      'aol.com',
    ],
    mailHosts: ['yahoodns.net'],
    imap: 'imap.mail.yahoo.com',
    smtp: 'smtp.mail.yahoo.com',
    note: appPassword('Account security'),
  },
  {
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.com'],
    mailHosts: ['gmx.net', 'gmx.com'],
    imap: 'imap.gmx.net',
    smtp: 'mail.gmx.net',
    caldav: 'https://caldav.gmx.net/',
    note: 'GMX requires you to enable IMAP first: Settings, POP3/IMAP.',
  },
  {
    domains: ['web.de'],
    mailHosts: ['web.de'],
    imap: 'imap.web.de',
    smtp: 'smtp.web.de:587',
    caldav: 'https://caldav.web.de/',
    note: 'WEB.DE requires you to enable IMAP first: Settings, POP3/IMAP.',
  },
  {
    domains: ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.eu'],
    mailHosts: ['posteo.de'],
    imap: 'posteo.de',
    smtp: 'posteo.de',
    caldav: 'https://posteo.de:8443/',
  },
  {
    domains: ['mailbox.org'],
    mailHosts: ['mailbox.org'],
    imap: 'imap.mailbox.org',
    smtp: 'smtp.mailbox.org',
    caldav: 'https://dav.mailbox.org/',
  },
  {
    domains: ['zoho.com', 'zohomail.com', 'zohomail.eu', 'zoho.eu'],
    mailHosts: ['zoho.com', 'zoho.eu'],
    imap: 'imap.zoho.com',
    smtp: 'smtp.zoho.com',
    caldav: 'https://calendar.zoho.com/',
    note: 'Zoho requires you to enable IMAP first: Settings, Mail Accounts, IMAP.',
  },
  {
    domains: ['t-online.de', 'magenta.de'],
    mailHosts: ['t-online.de'],
    imap: 'secureimap.t-online.de',
    smtp: 'securesmtp.t-online.de',
    note: 'Telekom uses a separate password for mail programs: create it in the Kundencenter.',
  },
  {
    domains: ['proton.me', 'protonmail.com', 'pm.me', 'protonmail.ch'],
    mailHosts: ['protonmail.ch'],
    note: 'Proton Mail has no IMAP, but its Bridge, which runs on your own machine, does: enter its address. The operator of this instance has to allow it with --outbound-allow.',
  },
  {
    domains: ['tutanota.com', 'tutamail.com', 'tuta.com', 'tuta.io', 'tutanota.de', 'keemail.me'],
    mailHosts: ['tutanota.de'],
    note: 'Tuta has no IMAP, so it cannot be connected.',
  },
]

export interface KnownProvider {
  servers: DiscoveredServers
  isGoogle: boolean
}

/** Finds the known provider of an address, by its domain, or by the hosts that take the domain's mail. */
export function knownProvider(
  address: string,
  mailHosts: readonly string[] = [],
): KnownProvider | undefined {
  const domain = domainOf(address)
  const [host] = mailHosts
  const matchingProvider =
    providers.find((provider) => provider.domains.includes(domain)) ??
    (host === undefined
      ? undefined
      : providers.find((provider) =>
          provider.mailHosts.some((end) => host === end || host.endsWith(`.${end}`)),
        ))
  if (!matchingProvider) return undefined
  const { imap, smtp, caldav, note, isGoogle = false } = matchingProvider
  return {
    isGoogle,
    servers: {
      ...(imap === undefined ? {} : { imap: { host: imap, port: 993, tls: 'tls' } }),
      ...(smtp === undefined ? {} : { smtp: smtpAt(smtp) }),
      ...(caldav === undefined ? {} : { caldav: { url: caldav } }),
      login: address,
      ...(note === undefined ? {} : { note }),
    },
  }
}

function smtpAt(text: string): MailServer {
  const [host, port] = text.split(':') as [string, string?]
  return port === undefined
    ? { host, port: 465, tls: 'tls' }
    : { host, port: Number(port), tls: 'start' }
}

/** The address in lower case; undefined if invalid. */
export function plainAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  return /^[^\s@<>",;:()[\]\\]{1,64}@[a-z0-9.-]{1,253}$/.test(address) &&
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domainOf(address))
    ? address
    : undefined
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/** Addresses for Mozilla's autoconfig, over TLS only: the answer decides who receives the password. */
export function autoconfigUrls(address: string): string[] {
  const domain = domainOf(address)
  const query = `emailaddress=${encodeURIComponent(address)}`
  return [
    `https://autoconfig.${domain}/mail/config-v1.1.xml?${query}`,
    `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml?${query}`,
  ]
}

/** Parses an autoconfig file. Omits servers without TLS. */
export function readAutoconfig(xml: string, address: string): DiscoveredServers | undefined {
  const plain = xml.replace(/<!--[^]*?-->/g, '').slice(0, 100_000)
  const imap = serversIn(plain, 'incomingServer', 'imap', address)[0]
  const smtp = serversIn(plain, 'outgoingServer', 'smtp', address)[0]
  if (!imap && !smtp) return undefined
  return {
    ...(imap ? { imap: imap.server } : {}),
    ...(smtp ? { smtp: smtp.server } : {}),
    login: imap?.login ?? smtp!.login,
  }
}

function serversIn(
  xml: string,
  element: string,
  type: string,
  address: string,
): { server: MailServer; login: string }[] {
  const blocks = xml.matchAll(
    new RegExp(
      `<${element}\\s[^>]{0,200}type=["']${type}["'][^>]{0,200}>([^]{0,4000}?)</${element}>`,
      'gi',
    ),
  )
  return [...blocks].flatMap(([, block]) => {
    const field = (name: string) =>
      new RegExp(`<${name}>\\s*([^<]{1,300}?)\\s*</${name}>`, 'i').exec(block!)?.[1]
    const host = fillTemplate(field('hostname') ?? '', address).toLowerCase()
    const port = Number(field('port'))
    const tls = { SSL: 'tls', STARTTLS: 'start' }[field('socketType')?.toUpperCase() ?? ''] as
      | MailServer['tls']
      | undefined
    if (!tls || !/^[a-z0-9.-]+$/.test(host) || !Number.isInteger(port) || port < 1 || port > 65535)
      return []
    return [
      {
        server: { host, port, tls },
        login: fillTemplate(field('username') ?? '%EMAILADDRESS%', address),
      },
    ]
  })
}

function fillTemplate(text: string, address: string): string {
  const at = address.lastIndexOf('@')
  return text
    .replaceAll('%EMAILADDRESS%', address)
    .replaceAll('%EMAILLOCALPART%', address.slice(0, at))
    .replaceAll('%EMAILDOMAIN%', address.slice(at + 1))
}

/** Usual server names for domains that publish none, likeliest first. */
export function guessedServers(address: string): { imap: MailServer[]; smtp: MailServer[] } {
  const domain = domainOf(address)
  return {
    imap: ['imap', 'mail'].map((name) => ({ host: `${name}.${domain}`, port: 993, tls: 'tls' })),
    smtp: ['smtp', 'mail'].flatMap((name): MailServer[] => [
      { host: `${name}.${domain}`, port: 465, tls: 'tls' },
      { host: `${name}.${domain}`, port: 587, tls: 'start' },
    ]),
  }
}
