import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { appPath } from '../../../ui/AppLink.tsx'
import { ItemLink, type ItemReference } from '../../../ui/ItemLink.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { FieldFacts, hiddenFields, DimmedText, Value } from '../Facts.tsx'
import { Loaded, isMissing } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { History } from '../History.tsx'
import { queryItem, nextDays, useItemRoute } from './item-query.ts'
import type { ItemList } from '../registry.ts'
import { ItemSection } from '../Section.tsx'
import {
  isBlank,
  isFields,
  isMoment,
  textIn,
  itemTitleOf,
  type Fields,
  type Json,
} from '../values.ts'

/** An item of any kind: its fields in words, with references as links. */
export function Generic() {
  const { address, id } = useItemRoute()
  const itemQuery = useOperation('get_item', { item_id: id })
  // Trashed items are shown by their history.
  if (isMissing(itemQuery.error)) return <History />
  return (
    <Loaded query={itemQuery}>
      {(answer) => {
        const item: Fields = answer.item ?? answer
        return (
          <ItemFrame
            type={answer.type}
            title={itemTitleOf(item) ?? answer.title}
            item={item}
            id={hasSide(answer.type) ? id : undefined}
          >
            <ItemContent item={item} />
            {address.below && <ItemListSection section={address.below} id={id} />}
          </ItemFrame>
        )
      }}
    </Loaded>
  )
}

/** Versions, inboxes and their contents are parts of other items, without references to them. */
const hasSide = (type: string) => !['page_version', 'notification', 'job'].includes(type)

const isLong = (name: string, value: Json) =>
  /_markdown$|^diff$/.test(name) ||
  (Array.isArray(value) && value.some((item) => isFields(item) && Object.keys(item).length > 5))

/** Short fields as facts, long ones as sections with headings. */
export function ItemContent({
  item,
  excludedFields = [],
}: {
  item: Fields
  excludedFields?: readonly string[]
}) {
  const title = itemTitleOf(item)
  const visibleFields = Object.entries(item).filter(
    ([name, value]) =>
      !hiddenFields.includes(name) &&
      !excludedFields.includes(name) &&
      !isBlank(value) &&
      name !== 'key' &&
      !(value === title && typeof value === 'string'),
  )
  const longFields = visibleFields.filter(([name, value]) => isLong(name, value))
  return (
    <>
      <FieldFacts
        item={Object.fromEntries(visibleFields.filter(([name, value]) => !isLong(name, value)))}
      />
      {longFields.map(([name, value]) => (
        <ItemSection key={name} title={t.items.field(name)}>
          <Value name={name} value={value} />
        </ItemSection>
      ))}
    </>
  )
}

function ItemListSection({ section, id }: { section: ItemList; id: string }) {
  const args = { ...section.args(id, nextDays()), limit: 50 }
  const children = useInfiniteQuery({
    queryKey: ['call', section.operation, args, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      queryItem(
        section.operation,
        pageParam === '' ? args : { ...args, cursor: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => textIn(last.next_cursor),
  })
  return (
    <ItemSection title={t.items.below[section.title]}>
      <QueryContent query={children}>
        {({ pages }) => <Rows rows={pages.flatMap(({ items }) => items as Fields[])} />}
      </QueryContent>
      <MoreButton query={children} />
    </ItemSection>
  )
}

function Rows({ rows }: { rows: readonly Fields[] }) {
  if (rows.length === 0) return <DimmedText>{t.items.none}</DimmedText>
  return (
    <Stack gap={6} component="ul" className="plain-list">
      {rows.map((row, i) => {
        const { id, type, title, url, key } = isFields(row.item)
          ? row.item
          : { ...row, type: undefined, title: rowTitle(row) }
        const item = { id, type, title, url, key } as ItemReference
        return (
          <li key={textIn(item.id) ?? i}>
            <ItemLink
              item={
                item.url !== undefined && appPath(item.url) === undefined
                  ? { ...item, url: undefined }
                  : item
              }
            />
          </li>
        )
      })}
    </Stack>
  )
}

function rowTitle(row: Fields): string {
  const [timestamp, status] = [
    textIn(row.starts_at ?? row.started_at ?? row.created_at),
    textIn(row.status),
  ]
  return [
    itemTitleOf(row),
    status && t.items.word(status),
    timestamp && isMoment(timestamp) ? formatMoment(timestamp) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}
