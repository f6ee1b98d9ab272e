import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { write } from '../../../store/index.ts'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { usePeople } from '../../tasks/data/lists.ts'
import type { ProjectRow } from '../data.ts'
import planning from '../planning.module.css'
import { reloadProject } from './again.ts'
import styles from './settings.module.css'

const texts = projectSettings.members

type Member = ProjectRow['members'][number]
type PersonRef = Member['person']

interface MembersProps {
  project: ProjectRow
  canEdit: boolean
}

export function Members({ project, canEdit }: MembersProps) {
  const [addAnchor, setAddAnchor] = useState<Element>()
  const [leavingMember, setLeavingMember] = useState<{ member: Member; anchor: Element }>()
  const people = usePeople()
  const memberIds = new Set(project.members.map(({ person }) => person.id))
  const addChoices = people
    .filter((person) => !memberIds.has(person.id))
    .map(({ id, display_name }) => ({
      value: { id, title: display_name },
      label: display_name,
      icon: <Face id={id} name={display_name} size={18} />,
    }))
  return (
    <section>
      <h2 className={styles.heading}>
        {texts.title}
        {canEdit && (
          <button
            type="button"
            className={planning.button}
            onClick={(event) => setAddAnchor(event.currentTarget)}
          >
            <IconPlus size={14} aria-hidden /> {texts.add}
          </button>
        )}
      </h2>
      <ul className={styles.list}>
        {project.members.map((member) => (
          <MemberLine
            key={member.person.id}
            member={member}
            {...(canEdit &&
              member.role !== 'lead' && {
                remove: (anchor: Element) => {
                  if (member.open_task_count > 0) setLeavingMember({ member, anchor })
                  else void removeMember(project, member.person, undefined)
                },
              })}
          />
        ))}
      </ul>
      {addAnchor && (
        <Picker
          anchor={addAnchor}
          close={() => setAddAnchor(undefined)}
          label={texts.add}
          choices={(query) => filterChoices(addChoices, query)}
          choose={(person) => void addMember(project, person)}
        />
      )}
      {leavingMember && (
        <HandOver project={project} {...leavingMember} close={() => setLeavingMember(undefined)} />
      )}
    </section>
  )
}

interface MemberLineProps {
  member: Member
  /** Undefined if the person cannot be removed. */
  remove?: (anchor: Element) => void
}

function MemberLine({ member: { person, role, open_task_count }, remove }: MemberLineProps) {
  return (
    <li className={styles.line}>
      <Face id={person.id} name={person.title} size={22} />
      <span className={styles.name} dir="auto">
        {person.title}
      </span>
      <span className={styles.quiet}>{texts.openTasks(open_task_count)}</span>
      <span className={styles.role}>{texts.roles[role]}</span>
      <span className={styles.tool}>
        {remove && (
          <button
            type="button"
            className={styles.icon}
            aria-label={texts.remove(person.title)}
            onClick={(event) => remove(event.currentTarget)}
          >
            <IconX size={15} aria-hidden />
          </button>
        )}
      </span>
    </li>
  )
}

interface HandOverProps {
  project: ProjectRow
  member: Member
  anchor: Element
  close: () => void
}

/** Picker for the person who takes over the open tasks of a leaving member. */
function HandOver({ project, member, anchor, close }: HandOverProps) {
  const choices: Choice<PersonRef | undefined>[] = [
    { value: undefined, label: texts.toNoOne },
    ...project.members
      .filter(({ person }) => person.id !== member.person.id)
      .map(({ person }) => ({
        value: person,
        label: person.title,
        icon: <Face id={person.id} name={person.title} size={18} />,
      })),
  ]
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={texts.handOver(member.person.title)}
      choices={(query) => filterChoices(choices, query)}
      choose={(successor) => void removeMember(project, member.person, successor)}
    />
  )
}

async function addMember(project: ProjectRow, person: PersonRef): Promise<void> {
  await write(
    'add_project_member',
    { project_id: project.id, person_id: person.id },
    { text: t.tasks.changed(project.key, texts.added(person.title)) },
  )
  await reloadProject(project.id)
}

async function removeMember(
  project: ProjectRow,
  person: PersonRef,
  successor: PersonRef | undefined,
): Promise<void> {
  await write(
    'remove_project_member',
    {
      project_id: project.id,
      person_id: person.id,
      ...(successor && { reassign_to: successor.id }),
    },
    {
      rows: [
        {
          type: 'project',
          id: project.id,
          set: { members: project.members.filter((other) => other.person.id !== person.id) },
        },
      ],
      text: t.tasks.changed(project.key, texts.removed(person.title)),
    },
  )
  await reloadProject(project.id)
}
