import { linkTexts as words } from '../../../texts/en/company/links.ts'
import type { ItemReference } from '../../../ui/ItemLink.tsx'
import { EntryDialog } from '../../company/knowledge/EntryForm.tsx'
import { linkTo, type ShownLink } from './data.ts'

interface LinkNoteProps {
  item: ItemReference
  link: ShownLink
  close: () => void
}

/** Edits the note of a link. */
export function LinkNote({ item, link, close }: LinkNoteProps) {
  const entry = {
    title: words.note.edit(link.item.title),
    action: words.note.save,
    fields: [
      {
        name: 'note',
        label: words.note.label,
        kind: 'long' as const,
        limit: 2000,
      },
    ],
    values: { note: link.note ?? '' },
    submit: ({ note = '' }: Readonly<Record<string, string>>) =>
      void linkTo(item, link.item, link, note.trim() === '' ? null : note),
  }
  return <EntryDialog entry={entry} close={close} />
}
