import { channelImport as words } from '../../../texts/en/imports/channels.ts'
import planning from '../../planning/planning.module.css'
import { usePeople } from '../../tasks/data/lists.ts'
import { MapFields } from '../MapFields.tsx'
import type { PeopleMap, SlackPerson } from './data.ts'

const maxPeople = 40

interface SlackPeopleProps {
  slackPeople: readonly SlackPerson[]
  people: PeopleMap
  set: (people: PeopleMap) => void
}

/** Name by which the operation identifies a person of the export. */
const slackNameOf = ({ name, email }: SlackPerson) => email ?? name

/** Maps people in an export to people here; those with unknown addresses come first. */
export function SlackPeople({ slackPeople, people, set }: SlackPeopleProps) {
  const colleagues = usePeople().filter(({ role }) => role !== 'guest')
  const isUnmatched = (person: SlackPerson) => person.to === null || slackNameOf(person) in people
  const sorted = [
    ...slackPeople.filter(isUnmatched),
    ...slackPeople.filter((person) => !isUnmatched(person)),
  ]
  const listed = sorted.slice(0, maxPeople)
  const chosenFor = (person: SlackPerson) =>
    people[slackNameOf(person)] ??
    colleagues.find(({ display_name }) => display_name === person.to)?.id ??
    ''
  return (
    <>
      <MapFields
        legend={words.people}
        fields={listed.map((person) => ({
          name: slackNameOf(person),
          label: person.name,
          value: people[slackNameOf(person)] === null ? '' : chosenFor(person),
        }))}
        options={[
          { value: '', label: words.noOne },
          ...colleagues.map(({ id, display_name }) => ({ value: id, label: display_name })),
        ]}
        choose={(name, id) => set({ ...people, [name]: id === '' ? null : id })}
      />
      <p className={planning.note}>
        {words.peopleAbout} {sorted.length > maxPeople && words.more(sorted.length - maxPeople)}
      </p>
    </>
  )
}
