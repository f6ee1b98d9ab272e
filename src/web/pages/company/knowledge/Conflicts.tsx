import { useDocumentTitle } from '@mantine/hooks'
import { IconScale } from '@tabler/icons-react'
import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { knowledgeTexts } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import planning from '../../planning/planning.module.css'
import contacts from '../contacts/contacts.module.css'
import { EntryDialog, type Entry } from './EntryForm.tsx'
import { FactLine } from './FactLines.tsx'
import styles from './knowledge.module.css'
import { KnowledgeTabs } from './KnowledgeTabs.tsx'

const { conflicts: words } = knowledgeTexts

/** Contradictory facts in a list, to be resolved. */
export function Conflicts() {
  useDocumentTitle(`${knowledgeTexts.tabs.conflicts} – ${t.app.name}`)
  const conflicts = useList('list_conflicting_facts', { limit: 25 })
  const [entry, setEntry] = useState<Entry>()
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={contacts.hidden}>{knowledgeTexts.tabs.conflicts}</h1>
        <KnowledgeTabs />
      </header>
      <div className={styles.body}>
        <QueryContent query={conflicts}>
          {() => (
            <>
              {conflicts.items.length === 0 && <EmptyState icon={IconScale} {...words.none} />}
              {conflicts.items.map(({ kind, facts, newest }) => (
                <section key={`${kind} ${newest}`} className={styles.conflict}>
                  <h2 className={styles.line}>
                    {facts[0] && <ItemLink item={facts[0].entity} />}
                    {words.kinds[kind]}
                  </h2>
                  {facts.map((fact) => (
                    <FactLine
                      key={fact.id}
                      fact={fact}
                      ask={setEntry}
                      note={fact.id === newest ? words.newest : undefined}
                    />
                  ))}
                </section>
              ))}
              <MoreButton query={conflicts} />
            </>
          )}
        </QueryContent>
      </div>
      <EntryDialog entry={entry} close={() => setEntry(undefined)} />
    </div>
  )
}
