import { IconPlus } from '@tabler/icons-react'
import { useCallback } from 'react'
import { useCall } from '../../../api/queries.ts'
import { useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { filterChoices, Picker, type Choice } from '../../../ui/work/Picker.tsx'
import { Dot } from '../../../ui/work/states.tsx'
import type { CellPopup } from '../../../ui/work/table/columns.ts'
import { useLabels } from '../../tasks/data/lists.ts'
import { PersonPicker } from '../PersonPicker.tsx'
import { createCompany, updateContact, type ContactRow, type NamedItem } from './data.ts'

interface OwnerPickerProps extends CellPopup {
  owner: NamedItem | undefined
  choose: (owner: NamedItem | undefined) => void
}

/** The owner of a contact or company. */
export function OwnerPicker({ owner, ...pickerProps }: OwnerPickerProps) {
  return (
    <PersonPicker
      {...pickerProps}
      label={words.fields.owner}
      noneLabel={words.noOwner}
      person={owner}
    />
  )
}

interface CompanyPickerProps extends CellPopup {
  company: NamedItem | undefined
  choose: (company: NamedItem | undefined) => void
}

type ChosenCompany = { company: NamedItem | undefined } | { create: string }

/** The company of a contact or deal; a new one can be created from the typed name. */
export function CompanyPicker({ anchor, close, company, choose }: CompanyPickerProps) {
  useListedRows('company', {})
  const rows = useAllRowsOf(
    'company',
    useCallback(() => true, []),
  )
  const companyChoices: Choice<ChosenCompany>[] = [
    ...(company ? [{ value: { company: undefined }, label: words.noCompany }] : []),
    ...rows
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ id, name, domain }) => ({
        value: { company: { id, title: name } },
        label: name,
        hint: domain,
        isChosen: id === company?.id,
      })),
  ]
  const choices = (query: string) => [
    ...filterChoices(companyChoices, query),
    ...newChoice(query, rows, words.newCompany),
  ]
  const applyChoice = async (value: ChosenCompany) => {
    if ('company' in value) return choose(value.company)
    const company = await createCompany({ name: value.create })
    if (company) choose(company)
  }
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={words.fields.company}
      choices={choices}
      choose={(value) => void applyChoice(value)}
    />
  )
}

/** The choice to create the typed name, if it does not exist. */
function newChoice(
  query: string,
  existing: readonly { name: string }[],
  label: (name: string) => string,
): Choice<{ create: string }>[] {
  const isKnown = existing.some(({ name }) => name.toLowerCase() === query.toLowerCase())
  if (query === '' || isKnown) return []
  return [
    {
      value: { create: query },
      label: label(query),
      icon: <IconPlus size={14} aria-hidden />,
    },
  ]
}

type ChosenLabel = { label: NamedItem; isOn: boolean } | { create: string }

/** The labels of a contact, toggled individually. */
export function ContactLabels({ anchor, close, contact }: CellPopup & { contact: ContactRow }) {
  const labels = useLabels()
  const create = useCall('create_label', ['list_labels'])
  const choices: Choice<ChosenLabel>[] = labels.map((label) => {
    const isOn = contact.labels.some((other) => other.id === label.id)
    return {
      value: { label: { id: label.id, title: label.name }, isOn },
      label: label.name,
      icon: <Dot color={label.color} />,
      isChosen: isOn,
    }
  })
  const toggle = (label: NamedItem, isOn: boolean) =>
    updateContact(
      contact,
      isOn ? { remove_label_ids: [label.id] } : { add_label_ids: [label.id] },
      {
        set: {
          labels: isOn
            ? contact.labels.filter((other) => other.id !== label.id)
            : [...contact.labels, label],
        },
        description: words.set.labelled(label.title, !isOn),
      },
    )
  const choose = (chosen: ChosenLabel) => {
    if ('label' in chosen) return toggle(chosen.label, chosen.isOn)
    create.mutate(
      { name: chosen.create },
      {
        onSuccess: ({ id, name }) => toggle({ id, title: name }, false),
        onError: notifyProblem,
      },
    )
  }
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={words.fields.labels}
      choices={(query) => [
        ...filterChoices(choices, query),
        ...newChoice(query, labels, words.newLabel),
      ]}
      choose={choose}
      isMultiple
    />
  )
}
