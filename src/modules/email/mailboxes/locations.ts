import type { Viewer } from '../../../records/access-scope.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { folderOfRole, type Folder, type Mailbox } from './access-folders.ts'
import { placeByName } from '../messages/access-queries.ts'
import type { EmailPlace } from './placement.ts'

type MovePlace = Exclude<EmailPlace, 'drafts' | 'folder'>

/** Target location of a message: its columns there, and for Gmail the label that stands for a folder. */
export interface Location {
  place: EmailPlace
  folder_id: Folder['id'] | null
  label?: string
}

/** The location of a place that every mailbox has. */
export async function locationOfPlace(
  viewer: Viewer,
  mailbox: Mailbox,
  place: MovePlace,
): Promise<Location> {
  const role = mailbox.usesLabels && !['trash', 'spam'].includes(place) ? 'all' : place
  return { place, folder_id: (await folderOfRole(viewer, mailbox, role)).id }
}

/** The same for a name or path. @throws Refusal as `placeOrFolder` does */
export async function locationByName(
  reader: Viewer,
  mailbox: Mailbox,
  name: string,
  field = 'folder',
): Promise<Location> {
  const target = placeOrFolder(mailbox, name, field)
  if (typeof target === 'string') return locationOfPlace(reader, mailbox, target)
  if (target.kind === 'folder') return { place: 'folder', folder_id: target.id }
  return { ...(await locationOfPlace(reader, mailbox, 'archive')), label: target.path }
}

/**
 * Resolves a name or path in a mailbox: a place that every mailbox has, or one of its folders.
 * @throws Refusal invalid_argument with the available folders if there is no such folder
 */
export function placeOrFolder(
  mailbox: Mailbox,
  name: string,
  field = 'folder',
): MovePlace | Folder {
  const folder = folderNamed(mailbox, name)
  const namedPlace = folder ? undefined : placeByName(name)
  const place = folder?.role ? roleAsPlace(folder.role) : namedPlace
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
  const foldersWith = (fieldOf: (row: Folder) => string) =>
    mailbox.folders.filter((folder) => fieldOf(folder).toLowerCase() === folded)
  const [path] = foldersWith((row) => row.path)
  const namesakes = foldersWith((row) => row.name)
  return path ?? (namesakes.length === 1 ? namesakes[0] : undefined)
}

function folderNamesOf(mailbox: Mailbox): string[] {
  const ownPaths = mailbox.folders
    .filter((folder) => folder.role === null && folder.is_selectable === 1)
    .map((folder) => folder.path)
  return ['inbox', 'archive', 'trash', 'spam', ...ownPaths.slice(0, 40)]
}
