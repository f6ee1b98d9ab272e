import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { t } from '../../texts/index.ts'
import { appPath } from '../../ui/AppLink.tsx'
import { ItemLink, type Referred } from '../../ui/ItemLink.tsx'
import { kindOf } from '../../ui/kinds.ts'
import { MoreButton } from '../../ui/MoreButton.tsx'
import { Shown } from '../../ui/states.tsx'
import { formatMoment } from '../../ui/times.tsx'
import { FieldFacts, own, Quiet, Value } from './Facts.tsx'
import { Loaded, isMissing } from './Found.tsx'
import { ItemFrame } from './Frame.tsx'
import { History } from './History.tsx'
import { argsOf, ask, useAddress, useReading, type Params } from './item-query.ts'
import type { Below } from './registry.ts'
import { ItemSection } from './Section.tsx'
import { isBlank, isFields, isMoment, textIn, titleOf, type Fields, type Json } from './values.ts'

/** An item of any kind: its fields in words, what it refers to as links. */
export function Generic() {
  const { address, params } = useAddress()
  const found = useReading(address.reading!, params)
  // What a list leaves out (a reminder that came, an update that was closed) is known by its history.
  if (address.reading!.lists && isMissing(found.error)) return <History />
  return (
    <Loaded of={found}>
      {(item) => (
        <ItemFrame
          type={kindOf(params.id) ?? ''}
          title={titleOf(item) ?? t.items.kind(kindOf(params.id) ?? '')}
          item={item}
          id={hasSide(params.id) ? params.id : undefined}
        >
          <Content of={item} />
          {(address.below ?? []).map((below) => (
            <BelowList key={below.title} of={below} params={params} />
          ))}
        </ItemFrame>
      )}
    </Loaded>
  )
}

/** Versions, inboxes and what stands in them are parts of other items: nothing refers to them. */
const hasSide = (id: string) =>
  !['page_version', 'notification', 'job'].includes(kindOf(id) ?? 'job')

const isLong = (name: string, value: Json) =>
  /_markdown$|^diff$/.test(name) ||
  (Array.isArray(value) && value.some((item) => isFields(item) && Object.keys(item).length > 5))

/** Short fields as facts, long ones as parts with headings. */
function Content({ of }: { of: Fields }) {
  const title = titleOf(of)
  const shown = Object.entries(of).filter(
    ([name, value]) =>
      !own.includes(name) &&
      !isBlank(value) &&
      name !== 'key' &&
      !(value === title && typeof value === 'string'),
  )
  const long = shown.filter(([name, value]) => isLong(name, value))
  return (
    <>
      <FieldFacts of={Object.fromEntries(shown.filter(([name, value]) => !isLong(name, value)))} />
      {long.map(([name, value]) => (
        <ItemSection key={name} title={t.items.field(name)}>
          <Value name={name} value={value} />
        </ItemSection>
      ))}
    </>
  )
}

function BelowList({ of, params }: { of: Below; params: Params }) {
  const args = { ...argsOf(of, params), limit: 50 }
  const found = useInfiniteQuery({
    queryKey: ['call', of.operation, args, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      ask(of.operation, pageParam === '' ? args : { ...args, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => textIn(last.next_cursor),
  })
  return (
    <ItemSection title={t.items.below[of.title]}>
      <Shown of={found}>
        {({ pages }) => <Rows of={pages.flatMap(({ items }) => items as Fields[])} />}
      </Shown>
      <MoreButton of={found} />
    </ItemSection>
  )
}

function Rows({ of }: { of: readonly Fields[] }) {
  if (of.length === 0) return <Quiet>{t.items.none}</Quiet>
  return (
    <Stack gap={6} component="ul" className="plain-list">
      {of.map((readonly, i) => {
        const item = (isFields(readonly.item)
          ? readonly.item
          : {
              id: readonly.id,
              title: rowTitle(readonly),
              url: readonly.url,
              key: readonly.key,
            }) as unknown as Referred
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

function rowTitle(readonly: Fields): string {
  const [at, status] = [
    textIn(readonly.starts_at ?? readonly.started_at ?? readonly.created_at),
    textIn(readonly.status),
  ]
  return [
    titleOf(readonly),
    status && t.items.word(status),
    at && isMoment(at) ? formatMoment(at) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}
