import type {
  FetchMessageObject,
  FetchQueryObject,
  ImapFlow,
  MailboxObject,
  SearchObject,
} from 'imapflow'
import { parseHeaders } from '../mail-parser.ts'
import { UidRanges, overrideVanishedHandler } from './expunges.ts'
import { MailFailure } from './failures.ts'
import {
  type FlagState,
  type FolderChanges,
  requireAccepted,
  collectRows,
  flagsOf,
  sequenceSetOf,
} from './folder-changes.ts'
import { listFolders } from './folder-lists.ts'
import { type ImapConnection, failureAt, optionsFor } from './options.ts'
import {
  type Folder,
  type MailHeader,
  correctedHeader,
  folderOf,
  headerOf,
  isMisread,
  requestedHeaders,
} from './shapes.ts'

export { MailFailure } from './failures.ts'
export { startTls } from './start.ts'
export type { Folder, MailAddress, MailHeader, MailPart } from './shapes.ts'

/** The synchronized folders of a mailbox, and the paths of all folders. */
export interface FolderList {
  folders: Folder[]
  paths: ReadonlySet<string>
}

/** Synchronized folders per mailbox: each may cost a command at every sync. */
export const maxFolders = 2_000

export interface OpenFolder {
  uidValidity: string
  uidNext: number
  messages: number
  modseq: string | undefined
  /** Whether the server stores new keywords. */
  storesKeywords: boolean
}
/** Processor time for headers that the server misread, in milliseconds. */
const headersCpuMs = 2_000

/** A logged-in connection to a mail server, for one caller at a time. Throws MailFailure. */
export class ImapSession {
  readonly #flow: ImapFlow
  readonly #door: ImapConnection
  #openMailbox: MailboxObject | undefined
  #vanished = new UidRanges()
  /** Settles when the connection has ended, whichever side ended it. */
  readonly closed: Promise<void>

  private constructor(flow: ImapFlow, door: ImapConnection) {
    this.#flow = flow
    this.#door = door
    this.closed = new Promise((resolve) => flow.once('close', resolve))
    flow.on('error', () => {}) // the running command reports it, too; without a listener it would end the process
    overrideVanishedHandler(flow, (path, response) => {
      if (path === this.#openMailbox?.path && !this.#vanished.add(response)) flow.close() // no real folder has so many gaps
    })
  }

  /** Logs in. @throws MailFailure */
  static async connect(door: ImapConnection): Promise<ImapSession> {
    const { ImapFlow: Flow } = await import('imapflow')
    const flow = new Flow(optionsFor(door))
    const session = new ImapSession(flow, door)
    try {
      await flow.connect()
      return session
    } catch (error) {
      session.close()
      door.socket.destroy()
      throw failureAt(door, error)
    }
  }

  get isUsable(): boolean {
    return this.#flow.usable
  }

  /** Gmail's extensions: labels in place of folders, and message and thread numbers. */
  get hasLabels(): boolean {
    return this.#flow.capabilities.has('X-GM-EXT-1')
  }

  /** Without it, news must be polled. */
  get hasIdle(): boolean {
    return this.#flow.capabilities.has('IDLE')
  }

  /** Checks that the server still responds: it may end idle connections, or those whose open folder was removed. */
  async check(): Promise<void> {
    await this.#run((flow) => flow.noop())
    if (!this.#flow.usable)
      throw new MailFailure('gone', 'The connection to the mail server has ended.')
  }

  close(): void {
    this.#flow.close()
  }

  /** Calls back on any event in the open folder. */
  onFolderEvent(listener: () => void): void {
    for (const event of ['exists', 'expunge', 'flags'] as const) this.#flow.on(event, listener)
  }

  /**
   * The folders, with values that show whether they changed. In a mailbox with more than `maxFolders`, keeps folders
   * with a role first, then the first others.
   */
  async folders(): Promise<FolderList> {
    if (this.#openMailbox) await this.check() // for the open folder, some servers repeat its last reported state
    return this.#run(async (flow) => {
      const { capabilities } = flow
      const query = {
        messages: true,
        unseen: true,
        uidNext: true,
        uidValidity: true,
        highestModseq: capabilities.has('CONDSTORE'),
      }
      const hasInlineStatus = capabilities.has('LIST-STATUS') || capabilities.has('IMAP4rev2')
      const listed = await listFolders(flow, hasInlineStatus ? query : undefined)
      const folders: Folder[] = []
      for (const row of listed.slice(0, maxFolders)) {
        const folder = folderOf(row)
        if (folder.status || !folder.isSelectable) {
          folders.push(folder)
          continue
        }
        const status = await flow.status(row.path, query).catch((error: unknown) => {
          if (!flow.usable) throw error
          return false as const
        })
        folders.push(status ? folderOf({ ...row, status }) : folder)
      }
      return { folders, paths: new Set(listed.map((row) => row.path)) }
    })
  }

  async open(path: string): Promise<OpenFolder> {
    this.#vanished = new UidRanges()
    this.#openMailbox = undefined
    const opened = await this.#run((flow) => flow.mailboxOpen(path))
    this.#openMailbox = opened
    const { uidValidity, uidNext, exists, highestModseq, permanentFlags } = opened
    return {
      uidValidity: String(uidValidity),
      uidNext,
      messages: exists,
      modseq: highestModseq ? String(highestModseq) : undefined,
      storesKeywords: permanentFlags?.has('\\*') ?? false,
    }
  }

  /** UIDs in the open folder, ascending; optionally only those above or below a limit. */
  async uids({
    above = 0,
    below = Infinity,
  }: {
    above?: number
    below?: number
  } = {}): Promise<number[]> {
    if (this.#openMailbox?.exists === 0 || below <= 1) return []
    const matches = await this.#search(
      above === 0 && below === Infinity
        ? { all: true }
        : { uid: `${above + 1}:${below === Infinity ? '*' : below - 1}` },
    )
    return matches.filter((uid) => uid > above && uid < below).sort((a, b) => a - b)
  }

  /** Fetches the headers of these messages for lists. */
  async headers(uids: readonly number[]): Promise<MailHeader[]> {
    const query: FetchQueryObject = {
      uid: true,
      flags: true,
      envelope: true,
      internalDate: true,
      size: true,
      bodyStructure: true,
      headers: [...requestedHeaders],
      ...(this.hasLabels ? { labels: true, threadId: true } : {}),
    }
    const fetched = await this.#fetch(uids, query, (fetchMessageObject) => ({
      header: headerOf(fetchMessageObject),
      block: isMisread(fetchMessageObject) ? fetchMessageObject.headers : undefined,
    }))
    const headers: MailHeader[] = []
    for (const { header, block } of fetched) {
      const parsed = block && (await parseHeaders(block, { milliseconds: headersCpuMs }))
      headers.push(parsed ? correctedHeader(header, parsed) : header)
    }
    return headers
  }

  /** Fetches the headers from minimal fields that no message can make unreadable. */
  async bareHeaders(uids: readonly number[]): Promise<MailHeader[]> {
    return this.#fetch(uids, { uid: true, flags: true, internalDate: true, size: true }, headerOf)
  }

  /** Changed flags and removed messages since a modseq, the server's change counter. */
  async changesSince(modseq: string): Promise<FolderChanges> {
    const query: FetchQueryObject = {
      uid: true,
      flags: true,
      ...(this.hasLabels ? { labels: true } : {}),
    }
    const changed = await this.#run((flow) =>
      collectRows(flow.fetch('1:*', query, { uid: true, changedSince: BigInt(modseq) }), flagsOf),
    )
    const vanished = this.#vanished
    this.#vanished = new UidRanges()
    return { changed, vanished }
  }

  /** Whether the server reports removed messages by UID. */
  get reportsVanished(): boolean {
    return this.#flow.enabled.has('QRESYNC')
  }

  /** Flags of these messages, or of all. */
  async flags(uids: readonly number[] | 'all'): Promise<FlagState[]> {
    const query: FetchQueryObject = {
      uid: true,
      flags: true,
      ...(this.hasLabels ? { labels: true } : {}),
    }
    if (uids !== 'all') return this.#fetch(uids, query, flagsOf)
    if (this.#openMailbox?.exists === 0) return []
    return this.#run((flow) => collectRows(flow.fetch('1:*', query, { uid: true }), flagsOf))
  }

  /** Complete messages by UID; removed ones are omitted. */
  async sources(uids: readonly number[]): Promise<Map<number, Buffer>> {
    const uidSources = await this.#fetch(
      uids,
      { uid: true, source: true },
      (fetchMessageObject) => [fetchMessageObject.uid, fetchMessageObject.source] as const,
    )
    return new Map(uidSources.filter((item): item is [number, Buffer] => item[1] !== undefined))
  }

  /** Encoded parts of one message by name (`1.2`, `HEADER`). */
  async parts(
    uid: number,
    names: readonly string[],
    largest: number,
  ): Promise<Map<string, Buffer>> {
    const bodyParts = names.map((key) => ({ key, start: 0, maxLength: largest }))
    const [fetchedParts] = await this.#fetch(
      [uid],
      { uid: true, bodyParts },
      (fetchMessageObject) => fetchMessageObject.bodyParts ?? new Map<string, Buffer>(),
    )
    return new Map([...(fetchedParts ?? [])].map(([key, bytes]) => [key.toUpperCase(), bytes]))
  }

  async changeFlags(
    uids: readonly number[],
    { add = [], remove = [] }: { add?: string[]; remove?: string[] },
  ): Promise<void> {
    if (add.length > 0)
      requireAccepted(
        await this.#run((flow) => flow.messageFlagsAdd(sequenceSetOf(uids), add, { uid: true })),
        'to mark messages',
      )
    if (remove.length > 0)
      requireAccepted(
        await this.#run((flow) =>
          flow.messageFlagsRemove(sequenceSetOf(uids), remove, { uid: true }),
        ),
        'to mark messages',
      )
  }

  /** Gmail only. */
  async changeLabels(
    uids: readonly number[],
    { add = [], remove = [] }: { add?: string[]; remove?: string[] },
  ): Promise<void> {
    if (add.length > 0)
      requireAccepted(
        await this.#run((flow) =>
          flow.messageFlagsAdd(sequenceSetOf(uids), add, { uid: true, useLabels: true }),
        ),
        'to label messages',
      )
    if (remove.length > 0)
      requireAccepted(
        await this.#run((flow) =>
          flow.messageFlagsRemove(sequenceSetOf(uids), remove, { uid: true, useLabels: true }),
        ),
        'to label messages',
      )
  }

  /** Moves a message out of the open folder; returns its new UID if the server reports it. */
  async move(uid: number, to: string): Promise<number | undefined> {
    const moved = requireAccepted(
      await this.#run((flow) => flow.messageMove(String(uid), to, { uid: true })),
      'to move a message',
    )
    return moved.uidMap?.get(uid)
  }

  /** Permanently removes a message from the open folder. */
  async erase(uid: number): Promise<void> {
    await this.#run((flow) => flow.messageDelete(String(uid), { uid: true }))
  }

  /** Appends a message to a folder; returns its UID if the server reports it. */
  async append(
    path: string,
    bytes: Uint8Array,
    flags: string[],
    at: number,
  ): Promise<number | undefined> {
    const appended = await this.#run((flow) =>
      flow.append(path, Buffer.from(bytes), flags, new Date(at)),
    )
    return appended ? appended.uid : undefined
  }

  /** UIDs of messages in the open folder with a Message-ID. */
  async findMessage(messageId: string): Promise<number[]> {
    return this.#search({ header: { 'message-id': messageId } })
  }

  async makeFolder(path: string): Promise<void> {
    await this.#run((flow) => flow.mailboxCreate(path))
  }

  async #search(query: SearchObject): Promise<number[]> {
    return requireAccepted(
      await this.#run((flow) => flow.search(query, { uid: true })),
      'to search',
    )
  }

  /**
   * Fetches the requested items of each message, once: servers also send unsolicited updates about concurrent
   * changes.
   */
  async #fetch<T>(
    uids: readonly number[],
    query: FetchQueryObject,
    convert: (fetchMessageObject: FetchMessageObject) => T,
  ): Promise<T[]> {
    if (uids.length === 0) return []
    const requestedUids = new Set(uids)
    const response = await this.#run((flow) =>
      collectRows(
        flow.fetch(sequenceSetOf(uids), query, { uid: true }),
        (fetchMessageObject) => fetchMessageObject,
      ),
    )
    const messagesByUid = new Map<number, FetchMessageObject>()
    for (const fetchMessageObject of response)
      if (requestedUids.has(fetchMessageObject.uid))
        messagesByUid.set(fetchMessageObject.uid, {
          ...messagesByUid.get(fetchMessageObject.uid),
          ...fetchMessageObject,
        })
    return [...messagesByUid.values()].map(convert)
  }

  async #run<T>(command: (flow: ImapFlow) => Promise<T>): Promise<T> {
    if (!this.#flow.usable)
      throw new MailFailure('gone', 'The connection to the mail server has ended.')
    try {
      return await command(this.#flow)
    } catch (error) {
      throw failureAt(this.#door, error)
    }
  }
}
