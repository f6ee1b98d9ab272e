// A stand-in for Google: its token endpoint and version 3 of its Drive API, on loopback, written from Google's public
// documents. It is strict: rejects unknown parameters, returns only requested fields, and hides shared drives from
// clients without supportsAllDrives.

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exported } from './google-exports.ts'
import { masked } from './google-fields.ts'

export const folderMime = 'application/vnd.google-apps.folder'
export const scope = 'https://www.googleapis.com/auth/drive'

export interface Revision {
  id: string
  bytes: Buffer
  mimeType: string
  modifiedTime: string
  keepForever: boolean
  by: string
}

export interface StandInFile {
  id: string
  name: string
  mimeType: string
  parent: string | undefined
  owner: string
  driveId: string | undefined
  description: string | undefined
  explicitlyTrashed: boolean
  createdTime: string
  modifiedTime: string
  version: number
  by: string
  sharedWith: Set<string>
  revisions: Revision[]
  shortcutTo: string | undefined
  readOnly: boolean
}

/** Failure to simulate. */
export interface Failure {
  /** Method and path, such as `GET /drive/v3/changes`. */
  on: RegExp
  status: number
  reason?: string
  retryAfter?: number
  times?: number
  /** The request is executed, but its response is lost: the connection is closed. */
  afterwards?: true
}

interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
  user: string
}

class Answer extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, message = reason) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

interface Sent {
  status?: number
  json?: unknown
  bytes?: Buffer
  headers?: Record<string, string>
}

interface Logged {
  seq: number
  fileId: string
  driveId: string | undefined
  goneFor: Set<string>
}

interface Session {
  user: string
  id: string
  isNew: boolean
  meta: Record<string, unknown>
  query: URLSearchParams
  mime: string
  size: number
  received: Buffer[]
  got: number
}

const idOf = () => `1${randomBytes(24).toString('base64url')}`

export class GoogleStandIn {
  readonly files = new Map<string, StandInFile>()
  readonly drives = new Map<string, { id: string; name: string; members: Set<string> }>()
  readonly roots = new Map<string, string>()
  readonly clientId = 'client-of-tests'
  readonly clientSecret = 'secret-of-tests'
  /** Method and path of every request, in order. */
  readonly requests: string[] = []
  limit: number | undefined = 15 * 2 ** 30
  pageSize = 1000
  #failures: Failure[] = []
  #log: Logged[] = []
  #seq = 1
  #oldest = 1
  #time = Date.parse('2026-01-01T00:00:00Z')
  #refresh = new Map<string, { user: string; scope: string }>()
  #access = new Map<string, { user: string; scope: string; until: number; refresh: string }>()
  #given = new Map<string, string>()
  #sessions = new Map<string, Session>()
  #server: Server | undefined

  async listen(): Promise<void> {
    this.#server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((go) => this.#server!.listen(0, '127.0.0.1', go))
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((go) => this.#server?.close(go))
  }

  get host(): string {
    return `127.0.0.1:${(this.#server!.address() as AddressInfo).port}`
  }

  /** The value of the setting google_endpoints. */
  get endpoints(): string {
    const at = (path: string) => `http://${this.host}${path}`
    return JSON.stringify({
      authorize: at('/authorize'),
      token: at('/token'),
      revoke: at('/revoke'),
      userinfo: at('/userinfo'),
      drive: at('/'),
    })
  }

  /** Adds a person with a Drive; returns their refresh token. */
  join(user: string, granted = scope): string {
    this.#rootOf(user)
    const token = `rt-${randomBytes(18).toString('base64url')}`
    this.#refresh.set(token, { user, scope: granted })
    return token
  }

  #rootOf(user: string): string {
    if (!this.roots.has(user))
      this.roots.set(
        user,
        this.#make({ name: 'My Drive', mimeType: folderMime, owner: user, parent: undefined }).id,
      )
    return this.roots.get(user)!
  }

  /** An access token as from a consent, for direct use of the stand-in. */
  access(refresh: string): string {
    return this.#issue(refresh).access_token
  }

  expireTokens(): void {
    for (const item of this.#access.values()) item.until = 0
  }

  revokeAll(): void {
    this.#refresh.clear()
    this.expireTokens()
  }

  fail(failure: Failure): void {
    this.#failures.push({ times: 1, ...failure })
  }

  /** Invalidates all page tokens issued so far. */
  forgetChanges(): void {
    this.#oldest = ++this.#seq
  }

  sharedDrive(name: string, ...members: string[]): string {
    const id = `0A${randomBytes(12).toString('base64url')}`
    this.drives.set(id, { id, name, members: new Set(members) })
    this.#make({
      id,
      name,
      mimeType: folderMime,
      owner: members[0]!,
      driveId: id,
      parent: undefined,
    })
    return id
  }

  /** Creates a file as in Google's own pages; default: in the person's My Drive. */
  put(
    user: string,
    more: Partial<
      Pick<
        StandInFile,
        'id' | 'name' | 'mimeType' | 'parent' | 'shortcutTo' | 'description' | 'readOnly'
      >
    > & { text?: string | Buffer } = {},
  ): StandInFile {
    const { text, ...of } = more
    const parent = of.parent ?? this.#rootOf(user)
    const file = this.#make({
      name: 'Untitled',
      mimeType: 'text/plain',
      owner: user,
      driveId: this.files.get(parent)?.driveId,
      ...of,
      parent,
    })
    if (text !== undefined) this.#write(file, Buffer.from(text), file.mimeType, user)
    return file
  }

  /** Changes a file as in Google's own pages. */
  edit(
    user: string,
    id: string,
    change: Partial<
      Pick<StandInFile, 'name' | 'parent' | 'description' | 'explicitlyTrashed' | 'readOnly'>
    > & { text?: string | Buffer },
  ): void {
    const { text, ...of } = change
    const file = this.files.get(id)!
    Object.assign(file, of)
    if (text !== undefined) this.#write(file, Buffer.from(text), file.mimeType, user)
    this.#changed(file, user)
  }

  /** Deletes permanently, with all contents. */
  erase(id: string): void {
    for (const standInFile of [...this.files.values()])
      if (standInFile.parent === id) this.erase(standInFile.id)
    const file = this.files.get(id)!
    const readers = new Set([...this.roots.keys()].filter((user) => this.#sees(user, file)))
    this.files.delete(id)
    this.#log.push({ seq: ++this.#seq, fileId: id, driveId: file.driveId, goneFor: readers })
  }

  share(id: string, user: string): void {
    this.files.get(id)!.sharedWith.add(user)
    this.#changed(this.files.get(id)!, this.files.get(id)!.by)
  }

  unshare(id: string, user: string): void {
    this.files.get(id)!.sharedWith.delete(user)
    this.#log.push({ seq: ++this.#seq, fileId: id, driveId: undefined, goneFor: new Set([user]) })
  }

  textOf(id: string): string {
    return this.files.get(id)!.revisions.at(-1)!.bytes.toString()
  }

  find(name: string): StandInFile[] {
    return [...this.files.values()].filter((file) => file.name === name)
  }

  isTrashed(file: StandInFile): boolean {
    const above = file.parent === undefined ? undefined : this.files.get(file.parent)
    return file.explicitlyTrashed || (above !== undefined && this.isTrashed(above))
  }

  // Keeping

  #make(
    fields: Pick<StandInFile, 'name' | 'mimeType' | 'owner' | 'parent'> & Partial<StandInFile>,
  ): StandInFile {
    const time = this.#now()
    const file: StandInFile = {
      id: idOf(),
      driveId: undefined,
      description: undefined,
      explicitlyTrashed: false,
      createdTime: time,
      modifiedTime: time,
      version: 1,
      by: fields.owner,
      sharedWith: new Set(),
      revisions: [],
      shortcutTo: undefined,
      readOnly: false,
      ...fields,
    }
    this.files.set(file.id, file)
    this.#changed(file, fields.owner)
    return file
  }

  #write(file: StandInFile, bytes: Buffer, mimeType: string, by: string): void {
    file.mimeType = mimeType
    file.revisions.push({
      id: idOf(),
      bytes,
      mimeType,
      modifiedTime: this.#now(),
      keepForever: false,
      by,
    })
  }

  #changed(file: StandInFile, by: string): void {
    Object.assign(file, { version: file.version + 1, modifiedTime: this.#now(), by })
    const tree =
      file.mimeType === folderMime
        ? [
            file,
            ...[...this.files.values()].filter((standInFile) => this.#isBelow(standInFile, file)),
          ]
        : [file]
    for (const standInFile of tree)
      this.#log.push({
        seq: ++this.#seq,
        fileId: standInFile.id,
        driveId: standInFile.driveId,
        goneFor: new Set(),
      })
  }

  #isBelow(file: StandInFile, above: StandInFile): boolean {
    for (let at = file.parent; at !== undefined; at = this.files.get(at)?.parent)
      if (at === above.id) return true
    return false
  }

  #now(): string {
    return new Date((this.#time += 1000)).toISOString()
  }

  #sees(user: string, file: StandInFile): boolean {
    if (file.driveId !== undefined) return this.drives.get(file.driveId)?.members.has(user) ?? false
    if (file.owner === user || file.sharedWith.has(user)) return true
    const above = file.parent === undefined ? undefined : this.files.get(file.parent)
    return above !== undefined && above.sharedWith.size > 0 && this.#sees(user, above)
  }

  #demand(user: string, id: string, query: URLSearchParams): StandInFile {
    const file = this.files.get(id === 'root' ? this.#rootOf(user) : id)
    if (
      !file ||
      !this.#sees(user, file) ||
      (file.driveId !== undefined && query.get('supportsAllDrives') !== 'true')
    )
      throw new Answer(404, 'notFound', `File not found: ${id}.`)
    return file
  }

  #mayEdit(user: string, file: StandInFile): boolean {
    return !file.readOnly && (file.driveId !== undefined || file.owner === user)
  }

  #shape(user: string, file: StandInFile): Record<string, unknown> {
    const may = this.#mayEdit(user, file)
    const present = file.revisions.at(-1)
    const isNative = file.mimeType.startsWith('application/vnd.google-apps.')
    const above = file.parent === undefined ? undefined : this.files.get(file.parent)
    const target = file.shortcutTo === undefined ? undefined : this.files.get(file.shortcutTo)
    return {
      kind: 'drive#file',
      id: file.id,
      name: file.name,
      mimeType: file.mimeType,
      description: file.description,
      trashed: this.isTrashed(file),
      explicitlyTrashed: file.explicitlyTrashed,
      parents: above && this.#sees(user, above) ? [above.id] : undefined,
      version: String(file.version),
      createdTime: file.createdTime,
      modifiedTime: file.modifiedTime,
      driveId: file.driveId,
      ownedByMe: file.driveId === undefined ? file.owner === user : undefined,
      owners: file.driveId === undefined ? [{ emailAddress: file.owner }] : undefined,
      lastModifyingUser: { emailAddress: file.by, displayName: file.by, me: file.by === user },
      webViewLink: `https://drive.google.com/file/d/${file.id}/view`,
      capabilities: {
        canEdit: may,
        canRename: may,
        canTrash: may,
        canAddChildren: may,
        canModifyContent: may,
        canDownload: true,
        canMoveItemWithinDrive: may,
      },
      shortcutDetails:
        file.shortcutTo === undefined
          ? undefined
          : { targetId: file.shortcutTo, targetMimeType: target?.mimeType },
      ...(present && !isNative
        ? {
            size: String(present.bytes.length),
            md5Checksum: hashOf('md5', present.bytes),
            sha256Checksum: hashOf('sha256', present.bytes),
            headRevisionId: present.id,
          }
        : {}),
    }
  }

  // Serving

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const url = new URL(request.url!, `http://${this.host}`)
    const method = request.method!
    this.requests.push(`${method} ${url.pathname}`)
    try {
      const failure = this.#failures.find(
        (item) => item.times! > 0 && item.on.test(`${method} ${url.pathname}`),
      )
      if (failure) failure.times!--
      if (failure && !failure.afterwards)
        throw Object.assign(new Answer(failure.status, failure.reason ?? 'backendError'), {
          retryAfter: failure.retryAfter,
        })
      const sent = this.#answer(method, url, request.headers, Buffer.concat(parts))
      if (failure) return void request.socket.destroy()
      response
        .writeHead(sent.status ?? 200, { 'content-type': 'application/json', ...sent.headers })
        .end(sent.bytes ?? (sent.json === undefined ? '' : JSON.stringify(sent.json)))
    } catch (error) {
      if (!(error instanceof Answer))
        return void response.writeHead(500).end(String((error as Error).stack))
      const { retryAfter } = error as { retryAfter?: number }
      response.writeHead(error.status, {
        'content-type': 'application/json',
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      })
      response.end(
        JSON.stringify(
          url.pathname === '/token' || url.pathname === '/revoke'
            ? { error: error.reason }
            : {
                error: {
                  code: error.status,
                  message: error.message,
                  errors: [{ domain: 'global', reason: error.reason, message: error.message }],
                },
              },
        ),
      )
    }
  }

  #answer(method: string, url: URL, headers: IncomingMessage['headers'], body: Buffer): Sent {
    if (url.pathname === '/token')
      return { json: this.#token(new URLSearchParams(body.toString()), headers.authorization) }
    if (url.pathname === '/revoke')
      return { json: this.#revoke(new URLSearchParams(body.toString()).get('token') ?? '') }
    const access = this.#access.get(headers.authorization?.replace(/^Bearer /, '') ?? '')
    if (!access || access.until <= Date.now() || !this.#refresh.has(access.refresh))
      throw new Answer(401, 'authError', 'Invalid Credentials')
    if (!access.scope.split(' ').includes(scope))
      throw new Answer(403, 'insufficientPermissions', 'Insufficient Permission')
    const request: Asked = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body,
      user: access.user,
    }
    for (const [pattern, known, work] of this.#routes()) {
      const match = pattern.exec(`${method} ${url.pathname}`)
      if (!match) continue
      for (const name of url.searchParams.keys())
        if (!['fields', 'alt', 'prettyPrint', ...known].includes(name))
          throw new Answer(400, 'invalidParameter', `Unknown parameter ${name}`)
      const sent = work(
        request,
        decodeURIComponent(match[1] ?? ''),
        decodeURIComponent(match[2] ?? ''),
      )
      return sent.json === undefined
        ? sent
        : { ...sent, json: masked(sent.json as object, url.searchParams.get('fields')) }
    }
    throw new Answer(404, 'notFound', `No ${method} ${url.pathname}`)
  }

  #routes(): [RegExp, string[], (request: Asked, first: string, second: string) => Sent][] {
    const all = ['supportsAllDrives']
    return [
      [/^GET \/drive\/v3\/about$/, [], (request) => this.#about(request)],
      [
        /^GET \/drive\/v3\/drives$/,
        ['pageSize', 'pageToken'],
        (request) => this.#drivesOf(request),
      ],
      [
        /^GET \/drive\/v3\/changes\/startPageToken$/,
        [...all, 'driveId'],
        () => ({ json: { kind: 'drive#startPageToken', startPageToken: String(this.#seq) } }),
      ],
      [
        /^GET \/drive\/v3\/changes$/,
        [
          ...all,
          'pageToken',
          'driveId',
          'pageSize',
          'includeItemsFromAllDrives',
          'includeRemoved',
          'restrictToMyDrive',
          'spaces',
        ],
        (request) => this.#changes(request),
      ],
      [
        /^GET \/drive\/v3\/files$/,
        [
          ...all,
          'q',
          'pageSize',
          'pageToken',
          'corpora',
          'driveId',
          'includeItemsFromAllDrives',
          'orderBy',
          'spaces',
        ],
        (request) => this.#list(request),
      ],
      [
        /^GET \/drive\/v3\/files\/generateIds$/,
        ['count', 'space', 'type'],
        (request) => this.#generate(request),
      ],
      [
        /^POST \/drive\/v3\/files$/,
        all,
        (request) => ({
          json: this.#shape(
            request.user,
            this.#create(request.user, JSON.parse(request.body.toString()), request.query),
          ),
        }),
      ],
      [
        /^GET \/drive\/v3\/files\/([^/]+)\/export$/,
        ['mimeType'],
        (request, id) => this.#export(request, id),
      ],
      [
        /^GET \/drive\/v3\/files\/([^/]+)\/revisions$/,
        ['pageSize', 'pageToken'],
        (request, id) => ({
          json: {
            kind: 'drive#revisionList',
            revisions: this.#demand(request.user, id, everywhere).revisions.map(revisionShape),
          },
        }),
      ],
      [
        /^GET \/drive\/v3\/files\/([^/]+)\/revisions\/([^/]+)$/,
        ['acknowledgeAbuse'],
        (request, id, revisionId) => this.#revision(request, id, revisionId),
      ],
      [
        /^PATCH \/drive\/v3\/files\/([^/]+)\/revisions\/([^/]+)$/,
        [],
        (request, id, revisionId) => this.#keepRevision(request, id, revisionId),
      ],
      [/^POST \/drive\/v3\/files\/([^/]+)\/copy$/, all, (request, id) => this.#copy(request, id)],
      [
        /^POST \/drive\/v3\/files\/([^/]+)\/permissions$/,
        [...all, 'sendNotificationEmail'],
        (request, id) => this.#permit(request, id),
      ],
      [
        /^GET \/drive\/v3\/files\/([^/]+)$/,
        [...all, 'acknowledgeAbuse'],
        (request, id) => this.#get(request, id),
      ],
      [
        /^PATCH \/drive\/v3\/files\/([^/]+)$/,
        [...all, 'addParents', 'removeParents'],
        (request, id) => ({
          json: this.#shape(
            request.user,
            this.#change(
              request.user,
              id,
              JSON.parse(request.body.toString() || '{}'),
              request.query,
            ),
          ),
        }),
      ],
      [
        /^DELETE \/drive\/v3\/files\/([^/]+)$/,
        all,
        (request, id) => {
          this.erase(this.#demand(request.user, id, request.query).id)
          return { status: 204 }
        },
      ],
      [
        /^(?:POST|PATCH) \/upload\/drive\/v3\/files(?:\/([^/]+))?$/,
        [...all, 'uploadType', 'addParents', 'removeParents'],
        (request, id) => this.#upload(request, id),
      ],
      [/^PUT \/upload\/drive\/v3\/files$/, ['upload_id'], (request) => this.#receive(request)],
    ]
  }

  #token(p: URLSearchParams, authorization: string | undefined) {
    const [id, secret] = authorization?.startsWith('Basic ')
      ? Buffer.from(authorization.slice(6), 'base64').toString().split(':')
      : [p.get('client_id'), p.get('client_secret')]
    if (id !== this.clientId || secret !== this.clientSecret)
      throw new Answer(401, 'invalid_client')
    if (p.get('grant_type') !== 'refresh_token') throw new Answer(400, 'unsupported_grant_type')
    if (!this.#refresh.has(p.get('refresh_token') ?? '')) throw new Answer(400, 'invalid_grant')
    return this.#issue(p.get('refresh_token')!)
  }

  #issue(refresh: string) {
    const grant = this.#refresh.get(refresh)!
    const access_token = `at-${randomBytes(18).toString('base64url')}`
    this.#access.set(access_token, { ...grant, until: Date.now() + 3_600_000, refresh })
    return { access_token, token_type: 'Bearer', expires_in: 3600, scope: grant.scope }
  }

  #revoke(token: string) {
    const refresh = this.#access.get(token)?.refresh ?? token
    if (!this.#refresh.delete(refresh)) throw new Answer(400, 'invalid_token')
    return {}
  }

  #about({ user, query }: Asked): Sent {
    if (!query.has('fields'))
      throw new Answer(400, 'required', 'The fields parameter is required for this method.')
    const used = [...this.files.values()]
      .filter((file) => file.owner === user && file.driveId === undefined)
      .reduce(
        (sum, file) => sum + file.revisions.reduce((bytes, each) => bytes + each.bytes.length, 0),
        0,
      )
    return {
      json: {
        kind: 'drive#about',
        user: { emailAddress: user },
        storageQuota: {
          ...(this.limit === undefined ? {} : { limit: String(this.limit) }),
          usage: String(used),
        },
      },
    }
  }

  #drivesOf({ user, query }: Asked): Sent {
    const { items, nextPageToken } = this.#page(
      [...this.drives.values()].filter((drive) => drive.members.has(user)),
      query,
      100,
      'drives',
    )
    return {
      json: {
        kind: 'drive#driveList',
        drives: items.map(({ id, name }) => ({ kind: 'drive#drive', id, name })),
        nextPageToken,
      },
    }
  }

  #page<T>(
    all: T[],
    query: URLSearchParams,
    maxSize: number,
    kind: string,
  ): { items: T[]; nextPageToken: string | undefined } {
    const size = Number(query.get('pageSize') ?? 100)
    if (!(size >= 1 && size <= maxSize)) throw new Answer(400, 'invalidParameter', 'pageSize')
    const token = query.get('pageToken')
    const [, start, of] = /^(\w+)~(\d+)$/.exec(token ?? '') ?? []
    if (token !== null && start !== kind)
      throw new Answer(400, 'invalid', 'Invalid Value: pageToken')
    const from = Number(of ?? 0)
    const end = from + Math.min(size, this.pageSize)
    return {
      items: all.slice(from, end),
      nextPageToken: end < all.length ? `${kind}~${end}` : undefined,
    }
  }

  #list({ user, query }: Asked): Sent {
    const driveId = query.get('driveId')
    if ((query.get('corpora') === 'drive') !== (driveId !== null))
      throw new Answer(400, 'invalidParameter', 'corpora and driveId belong together')
    if (
      driveId !== null &&
      !(
        query.get('includeItemsFromAllDrives') === 'true' &&
        query.get('supportsAllDrives') === 'true'
      )
    )
      throw new Answer(403, 'teamDrivesParameterRequired')
    if (driveId !== null && !this.drives.get(driveId)?.members.has(user))
      throw new Answer(404, 'notFound', 'Shared drive not found')
    const wanted = query.get('q')
    if (wanted !== null && wanted !== 'trashed = false')
      throw new Answer(400, 'invalid', `This stand-in does not know the query ${wanted}`)
    const files = [...this.files.values()].filter(
      (file) =>
        this.#sees(user, file) &&
        file.driveId === (driveId ?? undefined) &&
        file.id !== driveId &&
        file.id !== this.roots.get(user) &&
        (wanted === null || !this.isTrashed(file)),
    )
    const { items, nextPageToken } = this.#page(files, query, 1000, 'files')
    return {
      json: {
        kind: 'drive#fileList',
        files: items.map((item) => this.#shape(user, item)),
        nextPageToken,
        incompleteSearch: false,
      },
    }
  }

  #changes({ user, query }: Asked): Sent {
    const token = Number(query.get('pageToken') ?? NaN)
    if (!Number.isInteger(token)) throw new Answer(400, 'invalid', 'Invalid Value: pageToken')
    if (token < this.#oldest)
      throw new Answer(410, 'pageTokenExpired', 'The page token is too old.')
    const driveId = query.get('driveId') ?? undefined
    if (driveId !== undefined && !this.drives.get(driveId)?.members.has(user))
      throw new Answer(404, 'notFound', 'Shared drive not found')
    const last = new Map<string, Logged>()
    for (const logged of this.#log)
      if (logged.seq > token && logged.driveId === driveId) {
        last.delete(logged.fileId)
        last.set(logged.fileId, logged)
      }
    const changeList = [...last.values()].flatMap((logged) => {
      const file = this.files.get(logged.fileId)
      if (file && this.#sees(user, file))
        return [
          {
            seq: logged.seq,
            shape: {
              kind: 'drive#change',
              changeType: 'file',
              removed: false,
              fileId: file.id,
              file: this.#shape(user, file),
            },
          },
        ]
      return logged.goneFor.has(user)
        ? [
            {
              seq: logged.seq,
              shape: {
                kind: 'drive#change',
                changeType: 'file',
                removed: true,
                fileId: logged.fileId,
              },
            },
          ]
        : []
    })
    const size = Math.min(Number(query.get('pageSize') ?? 100), this.pageSize)
    const pageChanges = changeList.slice(0, size)
    const on =
      changeList.length > size
        ? { nextPageToken: String(pageChanges.at(-1)!.seq) }
        : { newStartPageToken: String(this.#seq) }
    return {
      json: { kind: 'drive#changeList', changes: pageChanges.map((item) => item.shape), ...on },
    }
  }

  #generate({ user, query }: Asked): Sent {
    const ids = Array.from({ length: Number(query.get('count') ?? 10) }, idOf)
    for (const id of ids) this.#given.set(id, user)
    return { json: { kind: 'drive#generatedIds', space: 'drive', ids } }
  }

  #create(user: string, meta: Record<string, unknown>, query: URLSearchParams): StandInFile {
    const {
      id,
      name = 'Untitled',
      mimeType = 'application/octet-stream',
      parents = ['root'],
      description,
    } = meta as {
      id?: string
      name?: string
      mimeType?: string
      parents?: string[]
      description?: string
    }
    if (id !== undefined && this.files.has(id))
      throw new Answer(409, 'fileIdInUse', 'A file already exists with the provided ID.')
    if (id !== undefined && this.#given.get(id) !== user)
      throw new Answer(400, 'invalid', 'The provided file ID is not usable.')
    if (parents.length !== 1) throw new Answer(400, 'multipleParentsNotSupported')
    const parent = this.#demand(user, parents[0]!, query)
    if (!this.#mayEdit(user, parent)) throw new Answer(403, 'insufficientFilePermissions')
    return this.#make({
      ...(id === undefined ? {} : { id }),
      name,
      mimeType,
      owner: user,
      parent: parent.id,
      driveId: parent.driveId,
      description,
    })
  }

  #change(
    user: string,
    id: string,
    meta: Record<string, unknown>,
    query: URLSearchParams,
  ): StandInFile {
    const file = this.#demand(user, id, query)
    if (!this.#mayEdit(user, file))
      throw new Answer(
        403,
        'insufficientFilePermissions',
        'The user does not have sufficient permissions for this file.',
      )
    const unknown = Object.keys(meta).find(
      (key) => !['name', 'description', 'trashed', 'mimeType', 'modifiedTime'].includes(key),
    )
    if (unknown !== undefined)
      throw new Answer(
        403,
        'fieldNotWritable',
        `The resource body includes fields which are not directly writable: ${unknown}`,
      )
    const { name, description, trashed } = meta as {
      name?: string
      description?: string
      trashed?: boolean
    }
    const to = query.get('addParents')
    if (to !== null && query.get('removeParents') !== file.parent)
      throw new Answer(403, 'cannotAddParent', 'Increasing the number of parents is not allowed')
    if (to !== null) this.#move(user, file, this.#demand(user, to, query))
    Object.assign(file, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description: description || undefined }),
      ...(trashed === undefined ? {} : { explicitlyTrashed: trashed }),
    })
    this.#changed(file, user)
    return file
  }

  #move(user: string, file: StandInFile, to: StandInFile): void {
    if (!this.#mayEdit(user, to)) throw new Answer(403, 'insufficientFilePermissions')
    if (file.driveId !== to.driveId && file.mimeType === folderMime)
      throw new Answer(403, 'teamDrivesFolderMoveInNotSupported')
    if (file.driveId !== to.driveId)
      this.#log.push({
        seq: ++this.#seq,
        fileId: file.id,
        driveId: file.driveId,
        goneFor: new Set([user]),
      })
    Object.assign(file, { parent: to.id, driveId: to.driveId })
  }

  #get({ user, query, headers }: Asked, id: string): Sent {
    const file = this.#demand(user, id, query)
    if (query.get('alt') !== 'media') return { json: this.#shape(user, file) }
    if (file.mimeType.startsWith('application/vnd.google-apps.'))
      throw new Answer(
        403,
        'fileNotDownloadable',
        'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
      )
    return media(file.revisions.at(-1)!, headers.range)
  }

  #revision({ user, query, headers }: Asked, id: string, revisionId: string): Sent {
    const fileRevision = this.#demand(user, id, everywhere).revisions.find(
      (revision) => revision.id === revisionId,
    )
    if (!fileRevision) throw new Answer(404, 'notFound', `Revision not found: ${revisionId}.`)
    return query.get('alt') === 'media'
      ? media(fileRevision, headers.range)
      : { json: revisionShape(fileRevision) }
  }

  #keepRevision({ user, body }: Asked, id: string, wantedId: string): Sent {
    const fileRevision = this.#demand(user, id, everywhere).revisions.find(
      (revision) => revision.id === wantedId,
    )
    if (!fileRevision) throw new Answer(404, 'notFound', `Revision not found: ${wantedId}.`)
    fileRevision.keepForever = (JSON.parse(body.toString()) as { keepForever: boolean }).keepForever
    return { json: revisionShape(fileRevision) }
  }

  #export({ user, query }: Asked, id: string): Sent {
    const file = this.#demand(user, id, everywhere)
    const bytes = exported(
      file.mimeType,
      query.get('mimeType') ?? '',
      file.revisions.at(-1)?.bytes ?? Buffer.alloc(0),
    )
    if (!bytes) throw new Answer(400, 'badRequest', 'The requested conversion is not supported.')
    if (bytes.length > 10 * 2 ** 20)
      throw new Answer(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.')
    return { bytes, headers: { 'content-type': query.get('mimeType')! } }
  }

  #copy({ user, query, body }: Asked, id: string): Sent {
    const from = this.#demand(user, id, query)
    const meta = JSON.parse(body.toString() || '{}') as Record<string, unknown>
    const copy = this.#create(
      user,
      {
        name: `Copy of ${from.name}`,
        parents: from.parent === undefined ? ['root'] : [from.parent],
        ...meta,
        mimeType: from.mimeType,
      },
      query,
    )
    if (from.revisions.length > 0)
      this.#write(copy, from.revisions.at(-1)!.bytes, from.mimeType, user)
    return { json: this.#shape(user, copy) }
  }

  #permit({ user, query, body }: Asked, id: string): Sent {
    const file = this.#demand(user, id, query)
    const { emailAddress, role, type } = JSON.parse(body.toString()) as {
      emailAddress?: string
      role: string
      type: string
    }
    if (type !== 'user' || emailAddress === undefined) throw new Answer(400, 'invalid')
    this.share(file.id, emailAddress)
    return {
      json: {
        kind: 'drive#permission',
        id: String(file.sharedWith.size),
        type,
        role,
        emailAddress,
      },
    }
  }

  #upload({ user, query, headers, body, method, path }: Asked, id: string): Sent {
    if (query.get('uploadType') === 'multipart')
      return this.#multipart(user, query, headers, body, id)
    if (query.get('uploadType') === 'media')
      return {
        json: this.#shape(
          user,
          this.#finish(
            {
              user,
              id,
              isNew: id === '',
              meta: {},
              query,
              mime: headers['content-type'] ?? 'application/octet-stream',
            },
            body,
          ),
        ),
      }
    if (query.get('uploadType') !== 'resumable')
      throw new Answer(400, 'invalidParameter', 'uploadType')
    const meta = JSON.parse(body.toString() || '{}') as Record<string, unknown>
    const size = Number(headers['x-upload-content-length'] ?? NaN)
    const mime = headers['x-upload-content-type']
    if (!Number.isInteger(size) || typeof mime !== 'string')
      throw new Answer(
        400,
        'invalid',
        'X-Upload-Content-Type and X-Upload-Content-Length are missing',
      )
    if (method === 'POST' && typeof meta.id === 'string' && this.files.has(meta.id))
      throw new Answer(409, 'fileIdInUse', 'A file already exists with the provided ID.')
    if (method === 'PATCH' && !this.#mayEdit(user, this.#demand(user, id, query)))
      throw new Answer(403, 'insufficientFilePermissions')
    const upload = randomBytes(12).toString('base64url')
    this.#sessions.set(upload, {
      user,
      id,
      isNew: method === 'POST',
      meta,
      query,
      mime,
      size,
      received: [],
      got: 0,
    })
    return {
      headers: {
        location: `http://${this.host}${path.replace(/\/files\/.*$/, '/files')}?upload_id=${upload}`,
      },
    }
  }

  #multipart(
    user: string,
    query: URLSearchParams,
    headers: IncomingMessage['headers'],
    body: Buffer,
    id: string,
  ): Sent {
    const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1]
    const [, first = '', second = ''] = body.toString('latin1').split(`--${boundary}`)
    const meta = JSON.parse(first.slice(first.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>
    const bytes = Buffer.from(
      second.slice(second.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, ''),
      'latin1',
    )
    const mime = /content-type: *([^\r\n]+)/i.exec(second)?.[1] ?? 'application/octet-stream'
    return {
      json: this.#shape(
        user,
        this.#finish({ user, id, isNew: id === '', meta, query, mime }, bytes),
      ),
    }
  }

  #receive({ query, headers, body }: Asked): Sent {
    const session = this.#sessions.get(query.get('upload_id') ?? '')
    if (!session) throw new Answer(404, 'notFound', 'The upload session is over.')
    const [, from, total] =
      /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
    if (Number(total) !== session.size || (from !== undefined && Number(from) !== session.got))
      throw new Answer(
        400,
        'invalid',
        `Content-Range ${headers['content-range']}, and ${session.got} bytes are there`,
      )
    session.received.push(body)
    session.got += body.length
    if (session.got < session.size && body.length % (256 * 1024) !== 0)
      throw new Answer(400, 'invalid', 'Pieces must be multiples of 256 KiB')
    if (session.got < session.size)
      return {
        status: 308,
        headers: session.got === 0 ? {} : { range: `bytes=0-${session.got - 1}` },
      }
    this.#sessions.delete(query.get('upload_id')!)
    return {
      bytes: Buffer.from(
        JSON.stringify(
          masked(
            this.#shape(session.user, this.#finish(session, Buffer.concat(session.received))),
            session.query.get('fields'),
          ),
        ),
      ),
    }
  }

  #finish(
    {
      user,
      id,
      isNew,
      meta,
      query,
      mime,
    }: Pick<Session, 'user' | 'id' | 'isNew' | 'meta' | 'query' | 'mime'>,
    bytes: Buffer,
  ): StandInFile {
    const file = isNew
      ? this.#create(user, { mimeType: mime, ...meta }, query)
      : this.#change(user, id, meta, query)
    this.#write(file, bytes, isNew ? file.mimeType : mime, user)
    this.#changed(file, user)
    return file
  }
}

const everywhere = new URLSearchParams({ supportsAllDrives: 'true' })

function media({ bytes, mimeType }: Revision, range: string | undefined): Sent {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined) return { bytes, headers: { 'content-type': mimeType } }
  if (Number(from) >= bytes.length) throw new Answer(416, 'requestedRangeNotSatisfiable')
  const end = Math.min(bytes.length - 1, to === '' ? Infinity : Number(to))
  return {
    status: 206,
    bytes: bytes.subarray(Number(from), end + 1),
    headers: { 'content-type': mimeType, 'content-range': `bytes ${from}-${end}/${bytes.length}` },
  }
}

function revisionShape({ id, bytes, mimeType, modifiedTime, keepForever, by }: Revision) {
  return {
    kind: 'drive#revision',
    id,
    mimeType,
    modifiedTime,
    keepForever,
    size: String(bytes.length),
    md5Checksum: hashOf('md5', bytes),
    lastModifyingUser: { emailAddress: by, displayName: by },
  }
}

function hashOf(name: 'md5' | 'sha256', bytes: Buffer): string {
  return createHash(name).update(bytes).digest('hex')
}

export async function startGoogle(): Promise<GoogleStandIn> {
  const google = new GoogleStandIn()
  await google.listen()
  return google
}
