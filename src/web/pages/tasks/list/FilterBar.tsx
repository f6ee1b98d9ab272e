import { IconX } from '@tabler/icons-react'
import { useRef, type RefObject } from 'react'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import styles from '../tasks.module.css'
import { closeFilter, openFilter, useOpenFilter } from './filter-menu.ts'
import { useFilterChoices } from './filter-choices.tsx'
import { SaveView } from '../views/SaveView.tsx'
import { useFilterFields, useView, type FilterField } from './view.ts'

/** The filters of the view as chips, each of which opens what can be chosen; there where something is filtered. */
export function FilterBar() {
  const { view, isFiltered, change } = useView()
  const fields = useFilterFields()
  const bar = useRef<HTMLElement>(null)
  const set = fields.filter((field) => view.filter[field].length > 0)
  return (
    <>
      {isFiltered && (
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
          <span className={styles.spring} />
          <SaveView />
        </search>
      )}
      <FilterMenu bar={bar} />
    </>
  )
}

function FilterChip({ field }: { field: FilterField }) {
  const { view, change } = useView()
  const choices = useFilterChoices(field)
  const chosen = choices.filter((choice) => choice.isChosen).map((choice) => choice.label)
  const name = t.tasks.filterFields[field]
  const values = chosen.length > 0 ? chosen.join(', ') : t.tasks.count(view.filter[field].length)
  return (
    <span className={styles.chip} data-filter={field}>
      <button type="button" onClick={(event) => openFilter(event.currentTarget, field)}>
        <em>{name}</em> {values}
      </button>
      <button
        type="button"
        aria-label={t.tasks.removeFilter(name)}
        onClick={() => change({ filter: { [field]: [] } })}
      >
        <IconX size={12} aria-hidden />
      </button>
    </span>
  )
}

/** First which field, then its values, in the same place. */
function FilterMenu({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const open = useOpenFilter()
  const fields = useFilterFields()
  if (!open) return null
  if (open.field !== undefined)
    return <ValuePicker key={open.field} field={open.field} anchor={open.anchor} />
  const choices = fields.map((field) => ({
    value: field,
    label: t.tasks.filterFields[field],
  }))
  return (
    <Picker
      anchor={open.anchor}
      close={closeFilter}
      label={t.tasks.filterBy}
      choices={(query) => filterChoices(choices, query)}
      choose={(field) =>
        setTimeout(() =>
          openFilter(bar.current?.querySelector(`[data-filter=${field}]`) ?? open.anchor, field),
        )
      }
    />
  )
}

function ValuePicker({ field, anchor }: { field: FilterField; anchor: Element }) {
  const { view, change } = useView()
  const choices = useFilterChoices(field)
  const toggle = (value: string) => {
    const chosen: readonly string[] = view.filter[field]
    change({
      filter: {
        [field]: chosen.includes(value)
          ? chosen.filter((other) => other !== value)
          : [...chosen, value],
      },
    })
  }
  return (
    <Picker
      anchor={anchor}
      close={closeFilter}
      label={t.tasks.filterFields[field]}
      choices={(query) => filterChoices(choices, query)}
      choose={toggle}
      isMultiple
    />
  )
}
