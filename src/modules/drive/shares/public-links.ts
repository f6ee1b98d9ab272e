// Public pages of share links, at /s/{token}: name, size and download. No account, no cookie, no script.

import { tokenHash } from '../../../keys/tokens.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { escapeHtml, htmlDocument } from '../../../kernel/text/html.ts'
import type { OpenLook, OpenPage, OpenPlace, OpenSent } from '../../../operations/public-pages.ts'
import { verifyPassword } from '../../../keys/argon.ts'
import { sharedFilesOf, resolveLink, type ResolvedLink } from './access-links.ts'

export const sharedLinks: readonly OpenPlace[] = [
  {
    path: '/s/:token',
    read: (look) => readSharedPage(look),
    post: (sent) => unlockSharedLink(sent),
  },
  { path: '/s/:token/:file', read: (look) => download(look) },
]

/** Rate limits per IP address: page views, and password attempts. */
const pageLimit = { perMinute: 60, burst: 120 }
const passwordLimit = { perMinute: 5, burst: 10 }
/** Maximum number of wrong passwords for one link, from all addresses, in 15 minutes. */
const maxWrongPasswords = 30
const wrongPasswordWindowMs = 15 * 60_000
const maxTrackedLinks = 10_000
const wrongPasswordTimes = new BoundedMap<string, number[]>(maxTrackedLinks)

const tokenPattern = /^[A-Za-z0-9_-]{32}$/

async function linkAt(look: OpenLook): Promise<ResolvedLink | undefined> {
  const { token = '' } = look.params
  return tokenPattern.test(token) ? resolveLink(look.all, look.now, tokenHash(token)) : undefined
}

async function readSharedPage(look: OpenLook): Promise<OpenPage | undefined> {
  const wait = look.spend('shared_link', pageLimit)
  if (wait > 0) return tooManyRequestsPage(wait)
  const place = await linkAt(look)
  return place && sharedLinkPage(look, place)
}

/** A file of a link without a password, at its own address, so that browsers can resume a download. */
async function download(look: OpenLook): Promise<OpenPage | undefined> {
  const wait = look.spend('shared_link', pageLimit)
  if (wait > 0) return tooManyRequestsPage(wait)
  const place = await linkAt(look)
  if (!place || place.share.password_hash !== null) return undefined
  return fileOf(look, place, look.params.file ?? '')
}

/** The form of a link with a password. */
async function unlockSharedLink(sent: OpenSent): Promise<OpenPage | undefined> {
  const place = await linkAt(sent)
  if (!place || place.share.password_hash === null) return undefined
  const wait = Math.max(
    sent.spend('share_password', passwordLimit),
    secondsUntilRetry(place.share.id, sent.now),
  )
  if (wait > 0) return tooManyRequestsPage(wait)
  if (!/^application\/x-www-form-urlencoded\b/i.test(sent.contentType)) return undefined
  const form = new URLSearchParams((await sent.body(4096)).toString('utf8'))
  if (!(await verifyPassword(place.share.password_hash, form.get('password') ?? ''))) {
    recordWrongPassword(place.share.id, sent.now)
    return sharedLinkPage(sent, place, 'The password is incorrect.')
  }
  const fileId = form.get('file') ?? (place.root.type === 'folder' ? undefined : place.root.id)
  return fileId === undefined
    ? unlockedFolderPage(sent, place, form.get('password')!)
    : fileOf(sent, place, fileId)
}

/** Contents of a folder for a visitor who entered the password; each download sends it again. */
async function unlockedFolderPage(
  look: OpenLook,
  { root }: ResolvedLink,
  password: string,
): Promise<OpenPage> {
  const files = await sharedFilesOf(look.all, root)
  const items = files.map(
    ({ row, path }) =>
      `<li><button name="file" value="${escapeHtml(row.id)}">${escapeHtml(path)}</button> <span class="size">${escapeHtml(formatSize(row.size_bytes))}</span></li>`,
  )
  const form = `<form method="post" action="${escapeHtml(`${look.baseUrl}/s/${look.params.token!}`)}"><input type="hidden" name="password" value="${escapeHtml(password)}"><ul>${items.join('')}</ul></form>`
  return {
    html: htmlDocument({
      title: root.name,
      styles,
      body: [
        `<h1>${escapeHtml(root.name)}</h1>`,
        files.length === 0 ? '<p>This folder is empty.</p>' : form,
      ],
    }),
    styles,
    isListed: false,
    cache: 'no-store',
    takesForms: true,
  }
}

/** Seconds until a link accepts another password. */
function secondsUntilRetry(id: string, now: number): number {
  const recent = (wrongPasswordTimes.get(id) ?? []).filter((at) => at > now - wrongPasswordWindowMs)
  return recent.length < maxWrongPasswords
    ? 0
    : Math.ceil((recent[0]! + wrongPasswordWindowMs - now) / 1000)
}

function recordWrongPassword(id: string, now: number): void {
  const recent = [
    ...(wrongPasswordTimes.get(id) ?? []).filter((at) => at > now - wrongPasswordWindowMs),
    now,
  ]
  wrongPasswordTimes.set(id, recent)
}

async function fileOf(
  look: OpenLook,
  { root }: ResolvedLink,
  id: string,
): Promise<OpenPage | undefined> {
  const linkedFile = (await sharedFilesOf(look.all, root)).find((file) => file.row.id === id)
  if (linkedFile?.row.content_base64 !== '') return undefined
  const { name, mime_type, sha256, size_bytes } = linkedFile.row
  return { html: '', styles, isListed: false, file: { name, mime_type, sha256, size_bytes } }
}

async function sharedLinkPage(
  look: OpenLook,
  { share, root }: ResolvedLink,
  problem?: string,
): Promise<OpenPage> {
  const isLocked = share.password_hash !== null
  const files = isLocked && root.type === 'folder' ? [] : await sharedFilesOf(look.all, root)
  const address = `${look.baseUrl}/s/${look.params.token!}`
  const body = isLocked
    ? lockedBody(address, problem)
    : openBody(
        root.name,
        root.type === 'folder',
        files.map(({ row, path }) => ({ id: row.id, path, size: row.size_bytes })),
        address,
      )
  const html = htmlDocument({ title: isLocked ? 'A shared file' : root.name, styles, body })
  return omitNullish({
    html,
    styles,
    isListed: false,
    cache: 'no-store',
    takesForms: true,
    status: problem === undefined ? undefined : 403,
  })
}

/** Even the name is hidden from visitors without the password. */
function lockedBody(address: string, problem: string | undefined): string[] {
  return [
    '<h1>A file is shared with you</h1>',
    problem === undefined ? '' : `<p class="error" role="alert">${escapeHtml(problem)}</p>`,
    `<form method="post" action="${escapeHtml(address)}"><label for="password">Password</label><input id="password" name="password" type="password" required maxlength="200" autocomplete="off"><button>Continue</button></form>`,
  ]
}

function openBody(
  name: string,
  isFolder: boolean,
  files: readonly { id: string; path: string; size: number }[],
  address: string,
): string[] {
  const link = ({ id, path, size }: { id: string; path: string; size: number }) =>
    `<a href="${escapeHtml(`${address}/${id}`)}" download rel="nofollow">${escapeHtml(path)}</a> <span class="size">${escapeHtml(formatSize(size))}</span>`
  if (!isFolder)
    return [`<h1>${escapeHtml(name)}</h1>`, ...files.map((file) => `<p>${link(file)}</p>`)]
  return [
    `<h1>${escapeHtml(name)}</h1>`,
    files.length === 0
      ? '<p>This folder is empty.</p>'
      : `<ul>${files.map((file) => `<li>${link(file)}</li>`).join('')}</ul>`,
  ]
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const step = Math.min(4, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** step).toPrecision(3)} ${['', 'kB', 'MB', 'GB', 'TB'][step]}`
}

function tooManyRequestsPage(wait: number): OpenPage {
  return {
    html: htmlDocument({
      title: 'Too many requests',
      styles,
      body: ['<h1>Too many requests</h1>', '<p>Try again later.</p>'],
    }),
    styles,
    isListed: false,
    status: 429,
    retryAfter: wait,
    cache: 'no-store',
  }
}

const styles =
  'body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1f2933;background:#fff}main{max-width:40rem;margin:3rem auto;padding:0 1rem}h1{font-size:1.4rem;overflow-wrap:anywhere}li,p{overflow-wrap:anywhere}.size{color:#52606d}.error{color:#ab091e}label{display:block;font-weight:600}input{font:inherit;padding:.4rem;width:100%;max-width:20rem;margin:.3rem 0 1rem;display:block}button{font:inherit;padding:.5rem 1rem}@media (prefers-color-scheme:dark){body{background:#12181f;color:#e4e7eb}a{color:#8bb8ff}.size{color:#9aa5b1}.error{color:#ff9b9b}}'
