import { useDocumentTitle } from '@mantine/hooks'
import { IconBeach, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useList } from '../../api/queries.ts'
import { runCommand, useCommands } from '../../keys/commands.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { t } from '../../texts/index.ts'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import planning from '../planning/planning.module.css'
import { AbsenceList } from './AbsenceList.tsx'
import { AddTimeOff } from './AddTimeOff.tsx'
import { isAwayOn } from './data.ts'
import styles from './people.module.css'
import { PeopleTabs } from './PeopleTabs.tsx'

const { timeOff: words } = peopleTexts

/** Current and upcoming absences. */
export function TimeOff() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const [isAdding, setAdding] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const absenceList = useList('list_time_off', { limit: 100 })
  useRowKeys(list)
  useCommands({ 'timeOff.create': () => setAdding(true) })
  const [current, upcoming] = [
    absenceList.items.filter((absence) => isAwayOn(absence)),
    absenceList.items.filter((absence) => !isAwayOn(absence)),
  ]
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{words.title}</h1>
        <PeopleTabs />
        <button
          type="button"
          className={planning.primary}
          onClick={() => runCommand('timeOff.create')}
        >
          <IconPlus size={15} stroke={2} aria-hidden />
          {words.create}
        </button>
      </header>
      <QueryContent query={absenceList}>
        {() =>
          absenceList.items.length === 0 ? (
            <div className={planning.padded}>
              <EmptyState icon={IconBeach} {...words.empty} />
            </div>
          ) : (
            <div ref={list} className={styles.scroll}>
              {(
                [
                  [words.now, current],
                  [words.later, upcoming],
                ] as const
              ).map(
                ([title, absences]) =>
                  absences.length > 0 && (
                    <section key={title} aria-label={title}>
                      <h2 className={planning.groupHead}>{title}</h2>
                      <AbsenceList absences={absences} withPeople />
                    </section>
                  ),
              )}
            </div>
          )
        }
      </QueryContent>
      <MoreButton query={absenceList} />
      <AddTimeOff isOpen={isAdding} close={() => setAdding(false)} />
    </div>
  )
}
