import { useState } from 'react'
import { useListedRows, useRows, type View, table } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { ChoiceField, FieldList, PlainField } from '../../../ui/work/fields.tsx'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { usePeople, useProjects } from '../../tasks/data/lists.ts'
import planning from '../planning.module.css'
import styles from './goals.module.css'
import { nextGoalStates } from './states.tsx'
import type { GoalRow } from './tree.ts'
import { updateGoal } from './update.ts'

/** The fields of a goal, edited in place. */
export function GoalValues({ goal }: { goal: GoalRow }) {
  const { fields, goal: texts } = t.planning
  return (
    <FieldList>
      <ChoiceField
        label={fields.status}
        content={texts.states[goal.status]}
        choices={nextGoalStates[goal.status].map((value) => ({
          value,
          label: texts.states[value],
        }))}
        choose={(status) =>
          updateGoal(goal, { status }, { set: { status }, description: texts.become[status] })
        }
      />
      <PlainField label={texts.period}>{goal.period}</PlainField>
      <PlainField label={texts.level}>{texts.levels[goal.level]}</PlainField>
      <OwnerField goal={goal} />
      {goal.team && (
        <PlainField label={fields.team}>
          <ItemLink item={goal.team} withIcon={false} />
        </PlainField>
      )}
      <ParentField goal={goal} />
      <PlainField label={texts.confidence}>
        {goal.confidence ? texts.confidences[goal.confidence] : t.tasks.none}
      </PlainField>
      <ProjectsField goal={goal} />
    </FieldList>
  )
}

function OwnerField({ goal }: { goal: GoalRow }) {
  const people = usePeople()
  return (
    <ChoiceField
      label={t.planning.goal.owner}
      isDisabled={goal.level === 'personal'}
      content={
        <span className={planning.marked}>
          <Face id={goal.owner.id} name={goal.owner.title} size={18} />
          <span dir="auto">{goal.owner.title}</span>
        </span>
      }
      choices={people.map((person) => ({
        value: { id: person.id, title: person.display_name },
        label: person.display_name,
        icon: <Face id={person.id} name={person.display_name} size={18} />,
        isChosen: person.id === goal.owner.id,
      }))}
      choose={(owner) => {
        if (owner.id !== goal.owner.id)
          updateGoal(
            goal,
            { owner_id: owner.id },
            { set: { owner }, description: t.planning.goal.ownedBy(owner.title).toLowerCase() },
          )
      }}
    />
  )
}

const everyGoal: View<GoalRow> = { compare: (a, b) => a.title.localeCompare(b.title) }

function ParentField({ goal }: { goal: GoalRow }) {
  useListedRows('goal', {})
  const { ids } = useRows('goal', everyGoal)
  const others = ids
    .map((id) => table('goal').get(id))
    .filter((other) => other !== undefined && other.id !== goal.id)
  const { parent } = goal
  return (
    <ChoiceField
      label={t.planning.goal.parent}
      content={parent && <span dir="auto">{parent.title}</span>}
      choices={[
        ...(parent ? [{ value: undefined, label: t.planning.goal.noParent }] : []),
        ...others.flatMap((other) =>
          other ? [{ value: other, label: other.title, hint: other.period }] : [],
        ),
      ]}
      choose={(other) =>
        updateGoal(
          goal,
          { parent_id: other?.id ?? null },
          {
            set: { parent: other && { id: other.id, title: other.title } },
            description: other ? t.planning.goal.below(other.title) : t.planning.goal.noParent,
          },
        )
      }
    />
  )
}

/** The contributing projects, toggled individually. */
function ProjectsField({ goal }: { goal: GoalRow }) {
  const projects = useProjects()
  const [anchor, setAnchor] = useState<Element>()
  const isLinked = (id: string) => goal.projects.some((project) => project.id === id)
  const toggle = (target: { id: string; title: string; key: string }) => {
    const newProjects = isLinked(target.id)
      ? goal.projects.filter((project) => project.id !== target.id)
      : [...goal.projects, target]
    updateGoal(
      goal,
      { project_ids: newProjects.map((project) => project.id) },
      {
        set: { projects: newProjects },
        description: t.planning.goal.linked(target.title, !isLinked(target.id)),
      },
    )
  }
  return (
    <PlainField label={t.planning.projects}>
      <span className={styles.linked}>
        {goal.projects.map((project) => (
          <ItemLink key={project.id} item={{ ...project, type: 'project' }} withIcon={false} />
        ))}
        <button
          type="button"
          className={planning.button}
          data-plain
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {t.planning.goal.link}
        </button>
      </span>
      {anchor && (
        <Picker
          anchor={anchor}
          close={() => setAnchor(undefined)}
          label={t.planning.goal.link}
          choices={(query) =>
            filterChoices(
              projects.map(({ id, key, name }) => ({
                value: { id, key, title: name },
                label: name,
                hint: key,
                isChosen: isLinked(id),
              })),
              query,
            )
          }
          choose={toggle}
          isMultiple
        />
      )}
    </PlainField>
  )
}
