import { IconBuilding } from '@tabler/icons-react'
import { useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { table, useListedRows, useRow } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { targetIds } from '../../../ui/work/table/selection.ts'
import { companyColumns } from './columns.tsx'
import { removeCompany, type CompanyRow } from './data.ts'
import { Directory } from './Directory.tsx'
import { exportAll } from './export.ts'
import { NewCompany } from './NewContact.tsx'
import { companyMatches } from './search.ts'

const companyRowOf = (id: string) => table('company').get(id)
const useCompany = (id: string) => useRow('company', id)

const companyPathOf = ({ id }: CompanyRow) => `/companies/${id}`
const iconOf = ({ name }: CompanyRow) => (
  <IconBuilding size={18} stroke={1.6} role="img" aria-label={words.open(name)} />
)

/** The companies of contacts and deals, as a table with in-place editing. */
export function Companies() {
  const listState = useListedRows('company', {})
  const [isCreating, setCreating] = useState(false)
  useCommands({
    'contact.create': () => setCreating(true),
    'contact.export': () => void exportAll('companies'),
    'contact.delete': () => {
      const rows = targetIds().flatMap((id) => companyRowOf(id) ?? [])
      for (const row of rows) void removeCompany(row)
      return rows.length > 0
    },
  })
  return (
    <>
      <Directory
        type="company"
        title={words.companies}
        listState={listState}
        columns={companyColumns}
        matches={companyMatches}
        rowOf={companyRowOf}
        useRow={useCompany}
        pathOf={companyPathOf}
        head={iconOf}
        icon={IconBuilding}
        empty={words.noCompanies}
        createLabel={words.createCompany}
        create={() => setCreating(true)}
        commands={['contact.export']}
        pickedCommands={['contact.delete']}
      />
      <NewCompany isOpen={isCreating} close={() => setCreating(false)} />
    </>
  )
}
