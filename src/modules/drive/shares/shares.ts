import { tokenHash } from '../../../keys/tokens.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, secret, shortText } from '../../../kernel/fields.ts'
import { oneLine } from '../../../kernel/text/markdown.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { hashPassword } from '../../../keys/argon.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { file, fileShare } from '../access.ts'
import { shareRoles } from './access-grants.ts'
import { validLinkCount } from '../files/access-tree.ts'
import { refuseAttached } from '../files/creation.ts'
import { refuseRemote } from '../files/google-files.ts'
import { changeReaders, fileReaders } from './readers.ts'
import { Share, presentShares } from '../shapes.ts'

const maxLinks = 50

export const shareFile = operation({
  name: 'share_file',
  searchHint: 'give access to a document, let someone edit, share with a colleague',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/files/{file_id}/shares/{person_id}',
  about:
    'Give a colleague access to a file or folder, or change it; use create_share_link for people outside',
  on: {
    file: file.own,
    person: person.see.outsiders(
      'Files are shared with people of the organization. Use create_share_link for people outside.',
    ),
  },
  input: {
    role: z.enum(shareRoles),
    note: shortText(2000).optional().describe('message to the person'),
  },
  output: Share,
  async handle({ file: row, person: recipient, role, note }, ctx) {
    requireShareable(row)
    if (row.project_id === null && recipient.id === row.owner_id)
      throw invalid('person_id', 'the owner already has full access.')
    if (recipient.status !== 'active')
      throw invalid('person_id', `${recipient.display_name} is not active in the organization.`)
    const existing = await fileShare
      .of(ctx, [row.id])
      .selectAll('file_shares')
      .where('file_shares.person_id', '=', recipient.id)
      .executeTakeFirst()
    const shareFields = omitNullish({ role, note })
    const { result: share } = await changeReaders(ctx, row, () =>
      existing
        ? ctx.change('file_shares', existing, shareFields)
        : ctx.add('file_shares', {
            file_id: row.id,
            kind: 'person',
            person_id: recipient.id,
            ...shareFields,
          }),
    )
    if (!existing || share.revision !== existing.revision) {
      ctx.event('file.shared', 'files', row)
      const noteText = note === undefined || note.trim() === '' ? '' : `: ${oneLine(note)}`
      ctx.notify(
        'share',
        [recipient.id],
        'files',
        row,
        `${ctx.actor.display_name} shared the ${row.type === 'folder' ? 'folder' : 'file'} “${row.name}” with you${noteText}`,
      )
    }
    return (await presentShares(ctx, row, [share]))[0]!
  },
})

function requireShareable(row: Row<'files'>): void {
  refuseRemote(row)
  refuseAttached(row)
  if (row.is_root === 1 && row.place === 'drive')
    throw invalid('file_id', 'a whole drive cannot be shared.', 'Share a folder in it.')
}

export const createShareLink = operation({
  name: 'create_share_link',
  searchHint:
    'public link, share outside, password link, link for a customer, anyone with the link',
  kind: 'destructive',
  outbound: true,
  rest: 'POST /api/files/{file_id}/share-links',
  about: 'Create a link that works without an account, with an end date and optional password',
  on: { file: file.own },
  input: {
    expires_at: datetime().optional().describe('default: 30 days from now'),
    role: z.enum(['viewer', 'commenter']).default('viewer'),
    password: secret(z.string().min(8).max(200))
      .optional()
      .describe('at least 8 characters; send it separately from the link'),
  },
  output: Share,
  redactOnReplay: ['link_url'],
  prepare: async ({ password }) => (password === undefined ? undefined : hashPassword(password)),
  async handle({ file: row, expires_at, role, password }, ctx) {
    requireShareable(row)
    if ((await validLinkCount(ctx, row.id)) >= maxLinks)
      throw new Refusal(
        'conflict',
        `This already has ${maxLinks} links.`,
        'End one of them with revoke_share.',
      )
    const until =
      expires_at === undefined
        ? ctx.now + defaultDays * 86_400_000
        : parseInstant(expires_at, ctx.actor.timezone, 'end', 'expires_at')
    if (until <= ctx.now) throw invalid('expires_at', 'this time has passed.')
    const token = randomBytes(24).toString('base64url')
    const password_hash =
      password === undefined
        ? null
        : ((ctx.prefetched as string | undefined) ?? (await hashPassword(password)))
    const share = await ctx.add('file_shares', {
      file_id: row.id,
      kind: 'link',
      role,
      token_hash: tokenHash(token),
      password_hash,
      expires_at: until,
    })
    ctx.event('file.shared', 'files', row)
    return {
      ...(await presentShares(ctx, row, [share]))[0]!,
      link_url: `${ctx.baseUrl}/s/${token}`,
    }
  },
})

const defaultDays = 30

export const revokeShare = operation({
  name: 'revoke_share',
  searchHint: 'stop sharing, remove access, kill a link',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/shares/{share_id}',
  about: "End a colleague's access or a share link",
  on: { share: fileShare.edit.describe('you may also end your own') },
  output: DeletedRef,
  async handle({ share }, ctx) {
    const row = await sharedFile(ctx, share)
    const before = await fileReaders(ctx, row)
    await changeReaders(ctx, row, () => ctx.remove('file_shares', share))
    const stillHasAccess =
      share.person_id !== null &&
      before.has(share.person_id) &&
      (await fileReaders(ctx, row)).has(share.person_id)
    return deletedRef(
      ctx,
      {
        ...fileShare.ref(share, ctx.baseUrl),
        title: stillHasAccess
          ? 'a share; the person still has access through its location or a folder above'
          : 'a share',
      },
      [],
      { erased: true },
    )
  },
})

/** The file of a visible share. */
async function sharedFile(ctx: ReadContext, share: Row<'file_shares'>): Promise<Row<'files'>> {
  return file.demand(ctx, share.file_id, 'see', 'share_id')
}
