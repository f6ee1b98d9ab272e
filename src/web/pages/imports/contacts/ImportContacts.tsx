import { contactImport as words } from '../../../texts/en/company/import.ts'
import planning from '../../planning/planning.module.css'
import { ImportedItems } from '../MadeItems.tsx'
import { useImportRun } from '../run.ts'
import { RunView } from '../RunView.tsx'
import { useImportSource } from '../source.ts'
import { SourceFields } from '../SourceFields.tsx'
import { readTextFile } from '../text-file.ts'
import { ContactPlanView } from './ContactPlanView.tsx'
import { ContactRemarks } from './ContactRemarks.tsx'
import { contactInput, outcomeOfCall, outcomeOfJob } from './data.ts'

const accept = '.csv,.tsv,.txt,.vcf,text/csv,text/vcard'

/** Imports contacts from a file, after a preview of the column mapping and the records. */
export function ImportContacts() {
  const source = useImportSource(readTextFile)
  const { run, begin, startOver } = useImportRun({
    operation: 'import_contacts',
    source,
    outcomeOfCall,
    outcomeOfJob,
  })
  if (run)
    return (
      <RunView run={run} startOver={startOver}>
        {({ created, counts, ...outcome }) => (
          <>
            <ImportedItems items={created} count={counts.created} />
            <ContactRemarks plan={{ ...outcome, counts }} />
          </>
        )}
      </RunView>
    )
  const chosenSource = source.source
  return (
    <div className={planning.form}>
      <SourceFields source={source} about={words.about} accept={accept} />
      {chosenSource && (
        <ContactPlanView
          key={chosenSource.serial}
          source={chosenSource}
          begin={(options) => void begin(contactInput(chosenSource, options), chosenSource.name)}
        />
      )}
    </div>
  )
}
