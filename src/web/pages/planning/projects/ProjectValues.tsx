import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { ChoiceField, DayField, FieldList, PlainField } from '../../../ui/work/fields.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { usePeople } from '../../tasks/data/lists.ts'
import type { ProjectRow } from '../data.ts'
import { Health } from '../Health.tsx'
import styles from '../planning.module.css'
import { setLead, updateProject } from './update.ts'

type ProjectState = 'planned' | 'active' | 'paused' | 'completed'

/** The possible next states of a project. */
const nextStates: Readonly<Record<ProjectRow['status'], readonly ProjectState[]>> = {
  planned: ['active'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: ['active'],
  archived: [],
}

/** The fields of a project, edited in place. */
export function ProjectValues({ project }: { project: ProjectRow }) {
  const { fields, projectStates, set } = t.planning
  return (
    <FieldList>
      <ChoiceField
        label={fields.status}
        content={projectStates[project.status]}
        choices={nextStates[project.status].map((value) => ({
          value,
          label: projectStates[value],
        }))}
        choose={(status) => updateProject(project, { status }, set.status(projectStates[status]))}
      />
      <PlainField label={fields.health}>
        <Health health={project.health} />
      </PlainField>
      <LeadField project={project} />
      <PlainField label={fields.members}>
        {project.members.map(({ person }) => (
          <Face key={person.id} id={person.id} name={person.title} label={person.title} />
        ))}
      </PlainField>
      <DayField
        label={fields.starts}
        day={project.starts_on}
        choose={(day) => updateProject(project, { starts_on: day }, set.day(fields.starts, day))}
      />
      <DayField
        label={fields.ends}
        day={project.ends_on}
        choose={(day) => updateProject(project, { ends_on: day }, set.day(fields.ends, day))}
      />
      {project.current_sprint && (
        <PlainField label={fields.sprint}>
          <ItemLink item={{ ...project.current_sprint, type: 'sprint' }} withIcon={false} />
        </PlainField>
      )}
      {project.team && (
        <PlainField label={fields.team}>
          <ItemLink item={project.team} withIcon={false} />
        </PlainField>
      )}
      {project.goals.length > 0 && (
        <PlainField label={fields.goals}>
          {project.goals.map((goal) => (
            <ItemLink key={goal.id} item={goal} withIcon={false} />
          ))}
        </PlainField>
      )}
    </FieldList>
  )
}

function LeadField({ project }: { project: ProjectRow }) {
  const people = usePeople()
  return (
    <ChoiceField
      label={t.planning.fields.lead}
      content={
        <span className={styles.marked}>
          <Face id={project.lead.id} name={project.lead.title} size={18} />
          <span dir="auto">{project.lead.title}</span>
        </span>
      }
      choices={people.map((person) => ({
        value: { id: person.id, title: person.display_name },
        label: person.display_name,
        icon: <Face id={person.id} name={person.display_name} size={18} />,
        isChosen: person.id === project.lead.id,
      }))}
      choose={(lead) => {
        if (lead.id !== project.lead.id) setLead(project, lead)
      }}
    />
  )
}
