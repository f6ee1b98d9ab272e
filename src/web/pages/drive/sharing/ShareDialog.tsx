import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { driveTexts } from '../../../texts/en/company/drive.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { PersonPicker } from '../../company/PersonPicker.tsx'
import planning from '../../planning/planning.module.css'
import { refetchFiles } from '../data.ts'
import styles from '../drive.module.css'
import { LinkForm } from './LinkForm.tsx'
import type { FileShare } from './shares.ts'

const words = driveTexts.share
const roles = ['viewer', 'commenter', 'editor'] as const
type Role = (typeof roles)[number]

interface ShareDialogProps {
  fileId: string
  name: string
  close: () => void
}

/** People with access to a file or folder, and its public links. */
export function ShareDialog({ fileId, name, close }: ShareDialogProps) {
  const fileQuery = useOperation('get_file', { file_id: fileId })
  return (
    <Dialog isOpen close={close} title={words.title(name)}>
      <QueryContent query={fileQuery}>
        {({ shares = [] }) => (
          <div className={planning.form}>
            <SharedPeople fileId={fileId} shares={shares.filter(({ kind }) => kind === 'person')} />
            <LinkForm fileId={fileId} shares={shares.filter(({ kind }) => kind === 'link')} />
          </div>
        )}
      </QueryContent>
    </Dialog>
  )
}

interface Person {
  id: string
  title: string
}

async function shareWith(fileId: string, person: Person, role: Role): Promise<void> {
  const text = words.given(person.title, words.roles[role])
  await write('share_file', { file_id: fileId, person_id: person.id, role }, { text })
  await refetchFiles()
}

interface PeopleProps {
  fileId: string
  shares: readonly FileShare[]
}

function SharedPeople({ fileId, shares }: PeopleProps) {
  const [anchor, setAnchor] = useState<Element>()
  const [role, setRole] = useState<Role>('viewer')
  return (
    <section className={styles.part} aria-label={words.people}>
      <h3>{words.people}</h3>
      {shares.length === 0 && <p className={styles.hint}>{words.none}</p>}
      <ul className={styles.people}>
        {shares.map((share) => (
          <SharedPerson key={share.id} fileId={fileId} share={share} />
        ))}
      </ul>
      <div className={styles.add}>
        <button
          type="button"
          className={planning.button}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {words.add}
        </button>
        <RoleChoice label={words.roleOfNew} role={role} choose={setRole} />
      </div>
      {anchor && (
        <PersonPicker
          anchor={anchor}
          label={words.add}
          person={undefined}
          choose={(person) => person && void shareWith(fileId, person, role)}
          close={() => setAnchor(undefined)}
        />
      )}
    </section>
  )
}

interface RoleChoiceProps {
  label: string
  role: Role
  choose: (role: Role) => void
}

function RoleChoice({ label, role, choose }: RoleChoiceProps) {
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={role}
      onChange={(event) => choose(event.currentTarget.value as Role)}
    >
      {roles.map((name) => (
        <option key={name} value={name}>
          {words.roles[name]}
        </option>
      ))}
    </select>
  )
}

function SharedPerson({ fileId, share }: { fileId: string; share: FileShare }) {
  const { person, inherited_from: parent } = share
  if (!person) return null
  const revoke = async () => {
    const text = words.ended(person.title)
    await write('revoke_share', { share_id: share.id }, { text })
    await refetchFiles()
  }
  return (
    <li>
      <Face id={person.id} name={person.title} />
      <span className={styles.uploadName} dir="auto">
        {person.title}
        {parent && <span className={styles.hint}> {words.through(parent.title)}</span>}
      </span>
      {parent ? (
        <span className={styles.hint}>{words.roles[share.role]}</span>
      ) : (
        <>
          <RoleChoice
            label={words.roleOf(person.title)}
            role={share.role}
            choose={(role) => void shareWith(fileId, person, role)}
          />
          <button
            type="button"
            className={planning.button}
            aria-label={words.remove(person.title)}
            onClick={() => void revoke()}
          >
            {words.end}
          </button>
        </>
      )}
    </li>
  )
}
