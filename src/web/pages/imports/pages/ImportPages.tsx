import { useState } from 'react'
import { pageImport as words } from '../../../texts/en/imports/pages.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import planning from '../../planning/planning.module.css'
import { reloadPageTree } from '../../wiki/tree/reading.ts'
import { Choice } from '../Choice.tsx'
import type { ParentPage } from '../open.ts'
import { useImportRun } from '../run.ts'
import { RunView } from '../RunView.tsx'
import { useImportSource } from '../source.ts'
import { SourceFields } from '../SourceFields.tsx'
import { pagesOutcome, readPages, type PageOptions } from './data.ts'
import { PagePlanView } from './PagePlanView.tsx'
import { ImportedPages } from './PagesMade.tsx'

const accept = '.md,.markdown,.txt,.html,.htm,.zip,text/markdown,text/html,application/zip'

/** Imports pages, after a preview. */
export function ImportPages({ parent }: { parent: ParentPage | undefined }) {
  const source = useImportSource(readPages)
  const [options, setOptions] = useState<PageOptions>({
    parent_id: parent?.id,
    visibility: 'private',
  })
  const { run, begin, startOver } = useImportRun({
    operation: 'import_pages',
    source,
    outcomeOfCall: (result) => {
      void reloadPageTree()
      return pagesOutcome(result)
    },
  })
  if (run)
    return (
      <RunView run={run} startOver={startOver}>
        {({ imported }) => <ImportedPages plan={imported} />}
      </RunView>
    )
  const chosenSource = source.source
  return (
    <div className={planning.form}>
      <SourceFields source={source} about={words.about} accept={accept} />
      <PageFields
        parent={parent}
        options={options}
        set={(patch) => setOptions({ ...options, ...patch })}
      />
      {chosenSource && (
        <PagePlanView
          key={chosenSource.serial}
          source={chosenSource}
          options={options}
          begin={() => void begin({ ...chosenSource.input, ...options }, chosenSource.name)}
        />
      )}
    </div>
  )
}

interface PageFieldsProps {
  parent: ParentPage | undefined
  options: PageOptions
  set: (options: PageOptions) => void
}

function PageFields({ parent, options, set }: PageFieldsProps) {
  return (
    <div className={planning.pair}>
      {parent && (
        <Choice
          label={words.place}
          value={options.parent_id ?? ''}
          names={{ '': words.top, [parent.id]: words.below(parent.title) }}
          choose={(id) => set({ parent_id: id === '' ? undefined : id })}
        />
      )}
      <Choice
        label={wiki.tree.visibility}
        value={options.visibility ?? 'private'}
        names={wiki.tree.visibilities}
        choose={(visibility) => set({ visibility })}
      />
      <Choice
        label={words.format}
        value={options.format ?? ''}
        names={words.formats}
        choose={(format) => set({ format: format === '' ? undefined : format })}
      />
    </div>
  )
}
