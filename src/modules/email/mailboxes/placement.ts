import type { Row } from '../../../records/resource.ts'

export type EmailPlace = Row<'emails'>['place']

/** The place of a message by the role of its folder; for All Mail in Gmail, by its labels. */
export function placeOfRole(
  role: Row<'mail_folders'>['role'],
  labels?: readonly string[],
): EmailPlace {
  if (role === 'all' && labels) return placeByLabels(labels)
  if (role === null || role === 'starred' || role === 'important') return 'folder'
  return role === 'all' ? 'archive' : role
}

function placeByLabels(labels: readonly string[]): EmailPlace {
  const has = (name: string) => labels.some((label) => label.toLowerCase() === name)
  if (has('\\inbox')) return 'inbox'
  if (has('\\draft') || has('\\drafts')) return 'drafts'
  return has('\\sent') ? 'sent' : 'archive'
}

/** Gmail labels created by people, and "important"; the other system labels are places and flags. */
export function ownLabels(labels: readonly string[]): string[] {
  return labels.flatMap((label) => {
    if (!label.startsWith('\\')) return [label]
    return label.toLowerCase() === '\\important' ? ['important'] : []
  })
}
