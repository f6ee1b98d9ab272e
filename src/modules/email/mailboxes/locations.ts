import type { Viewer } from '../../../records/access-scope.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { folderOfRole, type Folder, type Mailbox } from './access-folders.ts'
import { placeNamed } from '../messages/access-queries.ts'
import type { EmailPlace } from './placement.ts'

type MovePlace = Exclude<EmailPlace, 'drafts' | 'folder'>

/** Target location of a message: its columns there, and for Gmail the label that stands for a folder. */
export interface Spot {
  place: EmailPlace
  folder_id: Folder['id'] | null
  label?: string
}

/** A place that every mailbox has. */
export async function spotAt(viewer: Viewer, mailbox: Mailbox, place: MovePlace): Promise<Spot> {
  const role = mailbox.labelled && !['trash', 'spam'].includes(place) ? 'all' : place
  return { place, folder_id: (await folderOfRole(viewer, mailbox, role)).id }
}

/** The same for a name or path. @throws Refusal as `placeOrFolder` does */
export async function spotNamed(
  reader: Viewer,
  mailbox: Mailbox,
  name: string,
  field = 'folder',
): Promise<Spot> {
  const target = placeOrFolder(mailbox, name, field)
  if (typeof target === 'string') return spotAt(reader, mailbox, target)
  if (target.kind === 'folder') return { place: 'folder', folder_id: target.id }
  return { ...(await spotAt(reader, mailbox, 'archive')), label: target.path }
}

/**
 * Resolves a name or path in a mailbox: a place that every mailbox has, or one of its folders.
 * @throws Refusal invalid_argument where there is none, with those that there are
 */
export function placeOrFolder(
  mailbox: Mailbox,
  name: string,
  field = 'folder',
): MovePlace | Folder {
  const folder = folderNamed(mailbox, name)
  const unlisted = folder ? undefined : placeNamed(name)
  const place = folder?.role ? roleAsPlace(folder.role) : unlisted
  if (place === 'drafts')
    throw invalid(field, 'messages cannot be moved to the drafts.', 'create_email_draft makes one.')
  if (place && place !== 'folder') return place
  if (!folder)
    throw invalid(
      field,
      `the mailbox has no folder "${name}".`,
      `It has ${folderNamesOf(mailbox).join(', ')}.`,
    )
  if (folder.is_selectable === 0)
    throw invalid(field, `${folder.path} holds only folders, not messages.`)
  return folder
}

function roleAsPlace(role: NonNullable<Folder['role']>): EmailPlace {
  if (role === 'all') return 'archive'
  return role === 'starred' || role === 'important' ? 'folder' : role
}

function folderNamed(mailbox: Mailbox, name: string): Folder | undefined {
  const folded = name.trim().toLowerCase()
  const by = (fieldOf: (row: Folder) => string) =>
    mailbox.folders.filter((folder) => fieldOf(folder).toLowerCase() === folded)
  const [path] = by((row) => row.path)
  const namesakes = by((row) => row.name)
  return path ?? (namesakes.length === 1 ? namesakes[0] : undefined)
}

function folderNamesOf(mailbox: Mailbox): string[] {
  const ownPaths = mailbox.folders
    .filter((folder) => folder.role === null && folder.is_selectable === 1)
    .map((folder) => folder.path)
  return ['inbox', 'archive', 'trash', 'spam', ...ownPaths.slice(0, 40)]
}
