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
  fieldsFiltered,
  filterValues,
  isNegated,
  isSingle,
  negated,
  withValues,
  type FilterField,
} from './filter.ts'
import { closeFilter, openFilter, useOpenFilter } from './menu.ts'
import { typedPeriod } from './periods.ts'

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
  const set = fieldsFiltered(view.filter).filter(
    (field) => isCustom(field) || fields.includes(field),
  )
  const [since] = view.filter.changed
  return (
    <>
      {(isFiltered || saved !== undefined) && (
        <search ref={bar} className={styles.filters} aria-label={t.tasks.filters}>
          {set.map((field) => (
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
  const chosen = choices.filter((choice) => choice.isChosen).map((choice) => choice.label)
  const name = filterFieldName(field)
  const values =
    chosen.length > 0 ? chosen.join(', ') : t.tasks.count(filterValues(view.filter, field).length)
  const isNot = isNegated(view.filter, field)
  const switchTo = isNot ? t.tasks.noneOf(name) : t.tasks.anyOf(name)
  return (
    <span className={styles.chip} data-filter={field}>
      <em>{name}</em>
      {!isSingle(field) && (
        <button
          type="button"
          aria-label={switchTo}
          title={switchTo}
          onClick={() => change({ filter: negated(view.filter, field) })}
        >
          {isNot ? t.tasks.isNoneOf : t.tasks.isAnyOf}
        </button>
      )}
      <button
        type="button"
        aria-label={t.tasks.fieldIs(name, values)}
        onClick={(event) => openFilter(event.currentTarget, field)}
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
  const open = useOpenFilter()
  if (!open) return null
  if (open.field !== undefined)
    return <ValuePicker key={open.field} field={open.field} anchor={open.anchor} />
  const choices = fields.map((field) => ({ value: field, label: filterFieldName(field) }))
  return (
    <Picker
      anchor={open.anchor}
      close={closeFilter}
      label={t.tasks.filterBy}
      choices={(query) => filterChoices(choices, query)}
      choose={(field) =>
        setTimeout(() =>
          openFilter(
            bar.current?.querySelector(`[data-filter="${CSS.escape(field)}"]`) ?? open.anchor,
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
  const isOne = isSingle(field)
  const typed = (query: string) =>
    typedPeriod(field, query).filter(({ value }) =>
      choices.every((choice) => choice.value !== value),
    )
  const toggle = (value: string) => {
    const chosen = filterValues(view.filter, field)
    const others = chosen.filter((other) => other !== value)
    const added = isOne ? [value] : [...chosen, value]
    change({ filter: withValues(view.filter, field, chosen.includes(value) ? others : added) })
  }
  return (
    <Picker
      anchor={anchor}
      close={closeFilter}
      label={filterFieldName(field)}
      choices={(query) => [...filterChoices(choices, query), ...typed(query)]}
      choose={toggle}
      isMultiple={!isOne}
    />
  )
}
