import { useState, type FormEvent } from 'react'
import type { Input, Output } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { write } from '../../store/index.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { PickerButton } from '../../ui/actions/PickerButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { QueryContent } from '../../ui/states.tsx'
import type { NamedItem } from '../company/contacts/data.ts'
import { PersonPicker } from '../company/PersonPicker.tsx'
import planning from '../planning/planning.module.css'
import type { Colleague } from './data.ts'
import styles from './people.module.css'

const { handOver: words } = peopleTexts

type Preview = Output<'hand_over_person'>
type Section = Preview['sections'][number]
type Kind = NonNullable<Input<'hand_over_person'>['kinds']>[number]

const maxTitles = 5

interface HandOverProps {
  person: Colleague
  isOpen: boolean
  close: () => void
}

/** Gives all responsibilities of a person to another one, after showing them by kind. */
export function HandOver({ person, isOpen, close }: HandOverProps) {
  return (
    <Dialog isOpen={isOpen} close={close} title={words.title(person.display_name)} isWide>
      <HandOverForm person={person} close={close} />
    </Dialog>
  )
}

function HandOverForm({ person, close }: Omit<HandOverProps, 'isOpen'>) {
  const [successor, setSuccessor] = useState<NamedItem>()
  return (
    <div className={planning.form}>
      <p className={planning.note}>{words.about}</p>
      <SuccessorButton leaver={person} successor={successor} choose={setSuccessor} />
      {successor && (
        <HandOverPreview key={successor.id} leaver={person} successor={successor} close={close} />
      )}
    </div>
  )
}

interface SuccessorButtonProps {
  leaver: Colleague
  successor: NamedItem | undefined
  choose: (heir: NamedItem) => void
}

/** Chooses who takes over: an active member other than the leaver. */
function SuccessorButton({ leaver, successor, choose }: SuccessorButtonProps) {
  const isOffered = ({ id, role }: Colleague) => id !== leaver.id && role !== 'guest'
  return (
    <div className={planning.form}>
      <span id="hand-over-to">{words.to}</span>
      <PickerButton
        className={planning.button}
        aria-describedby="hand-over-to"
        data-autofocus
        list={(anchor, close) => (
          <PersonPicker
            anchor={anchor}
            close={close}
            label={words.to}
            isOffered={isOffered}
            person={successor}
            choose={(person) => person && choose(person)}
          />
        )}
      >
        <span dir="auto">{successor?.title ?? words.choose}</span>
      </PickerButton>
    </div>
  )
}

interface PreviewProps {
  leaver: Colleague
  successor: NamedItem
  close: () => void
}

/** The responsibilities by kind, read by a dry run, with a checkbox for each kind. */
function HandOverPreview({ leaver, successor, close }: PreviewProps) {
  const input = { person_id: leaver.id, to: successor.id }
  const preview = useOperation('hand_over_person', { ...input, dry_run: true }, { staleTime: 0 })
  const [excluded, setExcluded] = useState<ReadonlySet<Kind>>(new Set())
  const handOver = (event: FormEvent, sections: readonly Section[]) => {
    event.preventDefault()
    close()
    const kinds = sections.map(({ kind }) => kind).filter((kind) => !excluded.has(kind))
    const text = words.done(leaver.display_name, successor.title)
    void write('hand_over_person', { ...input, kinds }, { text, noticeSeconds: 20 })
  }
  return (
    <QueryContent query={preview}>
      {({ sections }) =>
        sections.length === 0 ? (
          <p className={planning.quiet}>{words.none(leaver.display_name)}</p>
        ) : (
          <form className={planning.form} onSubmit={(event) => handOver(event, sections)}>
            <fieldset className={styles.responsibilities}>
              <legend>{words.what}</legend>
              {sections.map((section) => (
                <Responsibility
                  key={section.kind}
                  section={section}
                  isIncluded={!excluded.has(section.kind)}
                  toggle={() =>
                    setExcluded((kinds) => kinds.symmetricDifference(new Set([section.kind])))
                  }
                />
              ))}
            </fieldset>
            <SubmitButton sections={sections.filter(({ kind }) => !excluded.has(kind))} />
          </form>
        )
      }
    </QueryContent>
  )
}

function SubmitButton({ sections }: { sections: readonly Section[] }) {
  const count = sections.reduce((sum, { handed_over }) => sum + handed_over, 0)
  return (
    <button type="submit" className={planning.primary} disabled={count === 0}>
      {words.action(count)}
    </button>
  )
}

interface ResponsibilityProps {
  section: Section
  isIncluded: boolean
  toggle: () => void
}

/** One kind of responsibility with a checkbox, its number and the titles of the first items. */
function Responsibility({ section, isIncluded, toggle }: ResponsibilityProps) {
  const { kind, count, hidden, handed_over, stays, items } = section
  const titles = items.slice(0, maxTitles).map(({ title }) => title)
  const unlistedCount = count - hidden - titles.length
  const moreTexts = [
    ...(unlistedCount > 0 ? [words.more(unlistedCount)] : []),
    ...(hidden > 0 ? [words.hidden(hidden)] : []),
  ]
  return (
    <div className={styles.responsibility}>
      <label>
        <input
          type="checkbox"
          checked={isIncluded && handed_over > 0}
          disabled={handed_over === 0}
          onChange={toggle}
        />
        {words.kinds[kind]}
        <span className={planning.note}>{count}</span>
      </label>
      <p dir="auto">{[...titles, ...moreTexts].join(' · ')}</p>
      {stays !== undefined && <p>{words.stays(stays)}</p>}
    </div>
  )
}
