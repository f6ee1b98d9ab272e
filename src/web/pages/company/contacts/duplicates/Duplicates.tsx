import { useEffect, useRef, useState } from 'react'
import type { Output } from '../../../../api/client.ts'
import { invalidateOperations, useList } from '../../../../api/queries.ts'
import { useCommands } from '../../../../keys/commands.ts'
import { storeRows } from '../../../../store/index.ts'
import { duplicateTexts as words } from '../../../../texts/en/company/duplicates.ts'
import { MoreButton } from '../../../../ui/actions/MoreButton.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { QueryContent } from '../../../../ui/states.tsx'
import { useRowKeys } from '../../../../ui/work/row-keys.ts'
import planning from '../../../planning/planning.module.css'
import { MergeContacts } from '../MergeContacts.tsx'
import styles from './duplicates.module.css'

type DuplicateGroup = Output<'find_duplicate_contacts'>['items'][number]

const refetchDuplicates = () => void invalidateOperations('find_duplicate_contacts')

/** Possible duplicate contacts, in groups that can be merged. */
export function Duplicates() {
  const [isOpen, setOpen] = useState(false)
  const [idsToMerge, setIdsToMerge] = useState<readonly string[]>([])
  const isMerging = idsToMerge.length > 0
  useCommands({ 'contact.duplicates': () => setOpen(true) })
  return (
    <>
      <Dialog isOpen={isOpen && !isMerging} close={() => setOpen(false)} title={words.title} isWide>
        <Groups merge={setIdsToMerge} />
      </Dialog>
      <MergeContacts
        ids={idsToMerge}
        close={() => setIdsToMerge([])}
        onMerged={refetchDuplicates}
      />
    </>
  )
}

function Groups({ merge }: { merge: (ids: readonly string[]) => void }) {
  const list = useRef<HTMLUListElement>(null)
  const groups = useList('find_duplicate_contacts', { limit: 20 })
  useRowKeys(list)
  const { items } = groups
  useEffect(() => {
    storeRows(
      'contact',
      items.flatMap(({ contacts }) => contacts),
    )
  }, [items])
  return (
    <>
      <p className={planning.note}>{words.about}</p>
      <QueryContent query={groups}>
        {() =>
          items.length === 0 ? (
            <p className={planning.quiet}>{words.none}</p>
          ) : (
            <ul ref={list} className={styles.groups}>
              {items.map((group) => (
                <Group key={duplicateGroupKey(group)} group={group} merge={merge} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      <MoreButton query={groups} />
    </>
  )
}

const duplicateGroupKey = ({ contacts }: DuplicateGroup) => contacts.map(({ id }) => id).join(' ')

interface GroupProps {
  group: DuplicateGroup
  merge: (ids: readonly string[]) => void
}

function Group({ group: { contacts, reason, suggested_keep: keptId }, merge }: GroupProps) {
  const names = contacts.map(({ name }) => name)
  const ids = contacts.map(({ id }) => id)
  return (
    <li className={styles.group}>
      <div className={styles.contacts}>
        {contacts.map(({ id, name, emails, company }) => (
          <span key={id} dir="auto">
            {[name, emails[0], company?.title].filter((part) => part !== undefined).join(' · ')}
          </span>
        ))}
        <span className={planning.note}>{words.reasons[reason]}</span>
      </div>
      <button
        type="button"
        className={planning.button}
        data-row
        aria-label={words.mergeOf(names)}
        onClick={() => merge([keptId, ...ids.filter((id) => id !== keptId)])}
      >
        {words.merge}
      </button>
    </li>
  )
}
