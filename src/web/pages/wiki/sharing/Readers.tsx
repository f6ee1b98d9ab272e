import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useSignedIn } from '../../../session/session.ts'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Picker } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { wordFilter } from '../../../ui/work/text-filter.ts'
import planning from '../../planning/planning.module.css'
import { reloadPage, type SharedPage } from './page.ts'
import styles from './sharing.module.css'

const texts = wiki.share
const roles = ['viewer', 'commenter', 'editor'] as const
type Role = (typeof roles)[number]
type Share = NonNullable<SharedPage['shares']>[number]

/** The people who can see a page, with their rights. */
export function Readers({ page }: { page: SharedPage }) {
  const isOwner = page.my_role === 'owner'
  const ownShares = (page.shares ?? []).filter((share) => share.inherited_from === undefined)
  const inheritedShares = (page.shares ?? []).filter((share) => share.inherited_from !== undefined)
  return (
    <section className={styles.part} aria-label={texts.readers}>
      <h3>{texts.readers}</h3>
      <Visibility page={page} isOwner={isOwner} />
      <ul className={styles.people}>
        <li>
          <Face id={page.owner.id} name={page.owner.title} />
          <span className={styles.name} dir="auto">
            {page.owner.title}
          </span>
          <span className={styles.role}>{texts.owner}</span>
        </li>
        {ownShares.map((share) => (
          <Reader key={share.id} page={page} share={share} isOwner={isOwner} />
        ))}
        {inheritedShares.map((share) => (
          <Reader key={share.id} page={page} share={share} isOwner={false} />
        ))}
      </ul>
      {isOwner && <AddReader page={page} />}
    </section>
  )
}

function Visibility({ page, isOwner }: { page: SharedPage; isOwner: boolean }) {
  const change = async (visibility: SharedPage['visibility']) => {
    const text = texts.visible(page.title, visibility)
    await write('update_page', { page_id: page.id, visibility }, { text })
    await reloadPage()
  }
  if (!isOwner) return <p className={styles.fact}>{wiki.tree.visibilities[page.visibility]}</p>
  return (
    <select
      className={styles.select}
      aria-label={wiki.tree.visibility}
      value={page.visibility}
      onChange={(event) => void change(event.currentTarget.value as SharedPage['visibility'])}
    >
      <option value="private">{wiki.tree.visibilities.private}</option>
      <option value="organization">{wiki.tree.visibilities.organization}</option>
    </select>
  )
}

async function shareWith(page: SharedPage, person: { id: string; title: string }, role: Role) {
  const text = texts.given(page.title, person.title, texts.roles[role])
  await write('share_page', { page_id: page.id, person_id: person.id, role }, { text })
  await reloadPage()
}

interface ReaderProps {
  page: SharedPage
  share: Share
  isOwner: boolean
}

function Reader({ page, share, isOwner }: ReaderProps) {
  const { person: me } = useSignedIn()
  const { person } = share
  if (!person) return null
  const unshare = async () => {
    const text = texts.taken(page.title, person.title)
    await write('unshare_page', { page_id: page.id, person_id: person.id }, { text })
    await reloadPage()
  }
  const canRemove = isOwner || (person.id === me.id && share.inherited_from === undefined)
  return (
    <li>
      <Face id={person.id} name={person.title} />
      <span className={styles.name} dir="auto">
        {person.title}
        {share.inherited_from && (
          <span className={styles.fact}>{texts.through(share.inherited_from.title)}</span>
        )}
      </span>
      {isOwner ? (
        <select
          className={styles.select}
          aria-label={texts.roleOf(person.title)}
          value={share.role}
          onChange={(event) => void shareWith(page, person, event.currentTarget.value as Role)}
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {texts.roles[role]}
            </option>
          ))}
        </select>
      ) : (
        <span className={styles.role}>{texts.roles[share.role]}</span>
      )}
      {canRemove && (
        <button
          type="button"
          className={planning.button}
          aria-label={texts.remove(person.title)}
          onClick={() => void unshare()}
        >
          {texts.removeShort}
        </button>
      )}
    </li>
  )
}

/** Gives another person access to the page, found by name. */
function AddReader({ page }: { page: SharedPage }) {
  const [role, setRole] = useState<Role>('viewer')
  const [anchor, setAnchor] = useState<Element>()
  return (
    <div className={styles.add}>
      <button
        type="button"
        className={planning.button}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {texts.add}
      </button>
      <select
        className={styles.select}
        aria-label={texts.roleOfNew}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      >
        {roles.map((name) => (
          <option key={name} value={name}>
            {texts.roles[name]}
          </option>
        ))}
      </select>
      {anchor && (
        <PersonList
          anchor={anchor}
          excludedIds={[
            page.owner.id,
            ...(page.shares ?? []).map((share) => share.person?.id ?? ''),
          ]}
          choose={(person) => void shareWith(page, person, role)}
          close={() => setAnchor(undefined)}
        />
      )}
    </div>
  )
}

interface PersonListProps {
  anchor: Element
  /** People who already have access. */
  excludedIds: readonly string[]
  choose: (person: { id: string; title: string }) => void
  close: () => void
}

const maxPeople = 50

function PersonList({ anchor, excludedIds, choose, close }: PersonListProps) {
  const [query, setQuery] = useState('')
  const { data } = useOperation('list_people', {
    status: 'active',
    limit: maxPeople,
    ...(query.trim() === '' ? {} : { query: query.trim() }),
  })
  const people = (data?.items ?? []).filter((person) => !excludedIds.includes(person.id))
  const choices = (text: string) => {
    const matches = wordFilter(text)
    return people
      .filter(({ display_name, email }) => matches(`${display_name} ${email}`))
      .map(({ id, display_name, email }) => ({
        value: { id, title: display_name },
        label: display_name,
        hint: email,
      }))
  }
  return (
    <Picker
      anchor={anchor}
      label={texts.add}
      choices={choices}
      choose={choose}
      onQuery={setQuery}
      close={close}
    />
  )
}
