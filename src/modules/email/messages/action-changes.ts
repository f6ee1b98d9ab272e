import type { WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { email, emailLabel } from '../access.ts'
import {
  addLabelFolder,
  labelNames,
  mailboxesOf,
  type Mailbox,
} from '../mailboxes/access-folders.ts'
import type { LabelChange } from '../mailboxes/label-names.ts'
import type { EmailPlace } from '../mailboxes/placement.ts'
import { locationOfPlace, locationByName, type Location } from '../mailboxes/locations.ts'

type Email = Row<'emails'>

/** Result for one message: changed, or the reason why it stays unchanged. */
export type ChangeOutcome = true | string

const nothingToChange = 'nothing to change'

/** Applies mail actions to the messages of a call, and reads their mailboxes only once. */
export class MailOrganizer {
  readonly #ctx: WriteContext
  #mailboxes = new Map<string, Mailbox>()
  #labels = new Map<string, string[]>()

  constructor(ctx: WriteContext) {
    this.#ctx = ctx
  }

  /** Reads the mailboxes of these accounts. */
  async loadMailboxes(accountIds: Iterable<Email['account_id']>): Promise<void> {
    const missing = [...new Set(accountIds)].filter((id) => !this.#mailboxes.has(id))
    if (missing.length === 0) return
    for (const [id, mailbox] of await mailboxesOf(this.#ctx, missing))
      this.#mailboxes.set(id, mailbox)
    for (const [id, names] of await labelNames(this.#ctx, missing)) this.#labels.set(id, names)
  }

  get mailboxes(): Mailbox[] {
    return [...this.#mailboxes.values()]
  }

  mailbox(row: Email): Mailbox {
    return this.#mailboxes.get(row.account_id)!
  }

  /** Names of a mailbox's labels. */
  labelsOf(mailbox: Mailbox): string[] {
    const folders = mailbox.folders
      .filter((folder) => folder.kind === 'label' && folder.role === null)
      .map((folder) => folder.path)
    return [...new Set([...folders, ...(this.#labels.get(mailbox.account_id) ?? [])])]
  }

  async read(row: Email, read: boolean): Promise<ChangeOutcome> {
    return this.#change(row, { unread: read ? 0 : 1 })
  }

  async star(row: Email, starred: boolean): Promise<ChangeOutcome> {
    return this.#change(row, { starred: starred ? 1 : 0 })
  }

  async archive(row: Email): Promise<ChangeOutcome> {
    if (row.place !== 'inbox') return 'it is not in the inbox'
    return this.#move(
      row,
      await locationOfPlace(
        this.#ctx,
        this.mailbox(row),
        row.is_own === 1 && this.mailbox(row).usesLabels ? 'sent' : 'archive',
      ),
    )
  }

  async trash(row: Email): Promise<ChangeOutcome> {
    return row.place === 'trash'
      ? nothingToChange
      : this.#move(row, await locationOfPlace(this.#ctx, this.mailbox(row), 'trash'))
  }

  async place(row: Email, place: 'inbox' | 'spam'): Promise<ChangeOutcome> {
    return row.place === place
      ? nothingToChange
      : this.#move(row, await locationOfPlace(this.#ctx, this.mailbox(row), place))
  }

  async move(row: Email, folder: string): Promise<ChangeOutcome> {
    return this.#move(row, await locationByName(this.#ctx, this.mailbox(row), folder))
  }

  /** Adds and removes labels; `starred` and `spam` set a flag and a place instead. */
  async label(row: Email, { add, remove, starred, spam }: LabelChange): Promise<ChangeOutcome> {
    const currentLabels = await emailLabel
      .of(this.#ctx, [row.id])
      .selectAll('email_labels')
      .execute()
    const has = (name: string) =>
      currentLabels.find((item) => item.name.toLowerCase() === name.toLowerCase())
    let changed = false
    if (starred !== undefined) changed = (await this.star(row, starred)) === true || changed
    if (spam !== undefined) changed = (await this.#spam(row, spam)) === true || changed
    for (const name of add) changed = (!has(name) && (await this.#add(row, name))) || changed
    for (const removedLabel of remove.map(has).filter((item) => item !== undefined)) {
      await this.#ctx.remove('email_labels', removedLabel)
      changed = true
    }
    return changed || nothingToChange
  }

  async #add(row: Email, name: string): Promise<true> {
    const mailbox = this.mailbox(row)
    const labelName =
      this.labelsOf(mailbox).find((label) => label.toLowerCase() === name.toLowerCase()) ?? name
    await addLabelFolder(this.#ctx, mailbox, labelName)
    await this.#ctx.add('email_labels', {
      email_id: row.id,
      name: labelName,
      account_id: row.account_id,
    })
    return true
  }

  async #spam(row: Email, spam: boolean): Promise<ChangeOutcome> {
    if (spam) return this.place(row, 'spam')
    return row.place === 'spam' ? this.place(row, 'inbox') : nothingToChange
  }

  async #move(row: Email, { place, folder_id, label }: Location): Promise<ChangeOutcome> {
    const moved = await this.#change(row, { place, folder_id })
    const labelled =
      label !== undefined && (await this.label(row, { add: [label], remove: [] })) === true
    return moved === true || labelled ? true : moved
  }

  async #change(row: Email, patch: Partial<Email>): Promise<ChangeOutcome> {
    if (row.folder_id === null && patch.place !== undefined)
      throw new Refusal('conflict', 'It is still being sent.', {
        hint: 'Move it once its delivery is "sent".',
      })
    const current = await email.demand(this.#ctx, row.id, 'edit', 'email_ids')
    const after = await this.#ctx.change('emails', current, patch)
    return after === current ? nothingToChange : true
  }
}

/** Places whose messages are affected when a whole conversation is given. */
export const affectedPlaces: Record<
  'read' | 'archive' | 'move' | 'trash' | 'label',
  readonly EmailPlace[]
> = {
  read: ['inbox', 'archive', 'folder', 'sent'],
  archive: ['inbox'],
  move: ['inbox', 'archive', 'folder', 'trash', 'spam'],
  trash: ['inbox', 'archive', 'folder', 'sent', 'spam'],
  label: ['inbox', 'archive', 'folder', 'sent', 'trash', 'spam'],
}
