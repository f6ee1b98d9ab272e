import { IconX } from '@tabler/icons-react'
import { useRef, type RefObject } from 'react'
import { t } from '../../../texts/index.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { customName, isCustom } from '../data/fields.ts'
import { useView } from '../list/view.ts'
import styles from '../tasks.module.css'
import { SaveView } from '../views/SaveView.tsx'
import { useFilterChoices } from './choices.tsx'
import { useFilterFields } from './custom-choices.tsx'
import {
  filteredFields,
  filterValues,
  isNegated,
  isSingleValued,
  toggleNegation,
  withValues,
  type FilterField,
} from './filter.ts'
import { closeFilterMenu, openFilterMenu, useFilterMenu } from './menu.ts'
import { parseTypedPeriod } from './periods.ts'

const UndoChanges = onDemand(() =>
  import('./UndoChanges.tsx').then(({ UndoChanges }) => UndoChanges),
)

const filterFieldName = (field: FilterField) =>
  isCustom(field) ? customName(field) : t.tasks.filterFields[field]

/** The view's filters as chips with their choices; shown if there is a filter or a saved view. */
export function FilterBar() {
  const { view, isFiltered, saved, change } = useView()
  const fields = useFilterFields()
  const bar = useRef<HTMLElement>(null)
  const activeFields = filteredFields(view.filter).filter(
    (field) => isCustom(field) || fields.includes(field),
  )
  const [since] = view.filter.changed
  return (
    <>
      {(isFiltered || saved !== undefined) && (
        <search ref={bar} className={styles.filters} aria-label={t.tasks.filters}>
          {activeFields.map((field) => (
            <FilterChip key={field} field={field} />
          ))}
          <input
            className={styles.textFilter}
            value={view.filter.text}
            onChange={(event) => change({ filter: { text: event.currentTarget.value } })}
            placeholder={t.tasks.textFilter}
            aria-label={t.tasks.textFilter}
            maxLength={100}
          />
          {since !== undefined && <UndoChanges since={since} />}
          <span className={styles.spring} />
          <SaveView />
        </search>
      )}
      <FilterMenu bar={bar} fields={fields} />
    </>
  )
}

function FilterChip({ field }: { field: FilterField }) {
  const { view, change } = useView()
  const choices = useFilterChoices(field)
  const chosenLabels = choices.filter((choice) => choice.isChosen).map((choice) => choice.label)
  const name = filterFieldName(field)
  const values =
    chosenLabels.length > 0
      ? chosenLabels.join(', ')
      : t.tasks.count(filterValues(view.filter, field).length)
  const isExcluding = isNegated(view.filter, field)
  const toggleLabel = isExcluding ? t.tasks.noneOf(name) : t.tasks.anyOf(name)
  return (
    <span className={styles.chip} data-filter={field}>
      <em>{name}</em>
      {!isSingleValued(field) && (
        <button
          type="button"
          aria-label={toggleLabel}
          title={toggleLabel}
          onClick={() => change({ filter: toggleNegation(view.filter, field) })}
        >
          {isExcluding ? t.tasks.isNoneOf : t.tasks.isAnyOf}
        </button>
      )}
      <button
        type="button"
        aria-label={t.tasks.fieldIs(name, values)}
        onClick={(event) => openFilterMenu(event.currentTarget, field)}
      >
        {values}
      </button>
      <button
        type="button"
        aria-label={t.tasks.removeFilter(name)}
        onClick={() => change({ filter: withValues(view.filter, field, []) })}
      >
        <IconX size={12} aria-hidden />
      </button>
    </span>
  )
}

interface FilterMenuProps {
  bar: RefObject<HTMLElement | null>
  fields: readonly FilterField[]
}

/** Chooses a field, then its values, in the same place. */
function FilterMenu({ bar, fields }: FilterMenuProps) {
  const openMenu = useFilterMenu()
  if (!openMenu) return null
  if (openMenu.field !== undefined)
    return <ValuePicker key={openMenu.field} field={openMenu.field} anchor={openMenu.anchor} />
  const choices = fields.map((field) => ({ value: field, label: filterFieldName(field) }))
  return (
    <Picker
      anchor={openMenu.anchor}
      close={closeFilterMenu}
      label={t.tasks.filterBy}
      choices={(query) => filterChoices(choices, query)}
      choose={(field) =>
        setTimeout(() =>
          openFilterMenu(
            bar.current?.querySelector(`[data-filter="${CSS.escape(field)}"]`) ?? openMenu.anchor,
            field,
          ),
        )
      }
    />
  )
}

function ValuePicker({ field, anchor }: { field: FilterField; anchor: Element }) {
  const { view, change } = useView()
  const choices = useFilterChoices(field)
  const isSingleValue = isSingleValued(field)
  const typedChoices = (query: string) =>
    parseTypedPeriod(field, query).filter(({ value }) =>
      choices.every((choice) => choice.value !== value),
    )
  const toggle = (value: string) => {
    const values = filterValues(view.filter, field)
    const others = values.filter((other) => other !== value)
    const added = isSingleValue ? [value] : [...values, value]
    change({ filter: withValues(view.filter, field, values.includes(value) ? others : added) })
  }
  return (
    <Picker
      anchor={anchor}
      close={closeFilterMenu}
      label={filterFieldName(field)}
      choices={(query) => [...filterChoices(choices, query), ...typedChoices(query)]}
      choose={toggle}
      isMultiple={!isSingleValue}
    />
  )
}
