import { IconAddressBook } from '@tabler/icons-react'
import { useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { notify, table, useListedRows, useRow } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { targetIds } from '../../../ui/work/table/selection.ts'
import { Face } from '../../../ui/work/Who.tsx'
import { openImport } from '../../imports/open.ts'
import { contactColumns } from './columns.tsx'
import { removeContact, type ContactRow } from './data.ts'
import { Directory } from './Directory.tsx'
import { Duplicates } from './duplicates/Duplicates.tsx'
import { exportAll } from './export.ts'
import { MergeContacts } from './MergeContacts.tsx'
import { NewContact } from './NewContact.tsx'
import { contactMatches } from './search.ts'

const contactRowOf = (id: string) => table('contact').get(id)
const useContact = (id: string) => useRow('contact', id)

const contactPathOf = ({ id }: ContactRow) => `/contacts/${id}`
const faceOf = ({ id, name }: ContactRow) => <Face id={id} name={name} label={words.open(name)} />

/** People outside the organization, as a table with in-place editing. */
export function Contacts() {
  const listState = useListedRows('contact', {})
  const [isCreating, setCreating] = useState(false)
  const [idsToMerge, setIdsToMerge] = useState<readonly string[]>([])
  useCommands({
    'contact.create': () => setCreating(true),
    'contact.import': () => openImport({ kind: 'contacts' }),
    'contact.export': () => void exportAll('contacts'),
    'contact.merge': () => {
      const ids = targetIds()
      if (ids.length < 2) notify({ text: words.merge.pickMore, seconds: 6, actions: [] })
      else setIdsToMerge(ids)
    },
    'contact.delete': () => {
      const rows = targetIds().flatMap((id) => contactRowOf(id) ?? [])
      for (const row of rows) void removeContact(row)
      return rows.length > 0
    },
  })
  return (
    <>
      <Directory
        type="contact"
        title={words.title}
        listState={listState}
        columns={contactColumns}
        matches={contactMatches}
        rowOf={contactRowOf}
        useRow={useContact}
        pathOf={contactPathOf}
        head={faceOf}
        icon={IconAddressBook}
        empty={words.empty}
        createLabel={words.create}
        create={() => setCreating(true)}
        commands={['contact.duplicates', 'contact.import', 'contact.export']}
        pickedCommands={['contact.merge', 'contact.delete']}
      />
      <Duplicates />
      <NewContact isOpen={isCreating} close={() => setCreating(false)} />
      <MergeContacts ids={idsToMerge} close={() => setIdsToMerge([])} />
    </>
  )
}
