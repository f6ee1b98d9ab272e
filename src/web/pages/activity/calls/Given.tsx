import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { activityTexts as t } from '../texts.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { ItemLink, type Referred } from '../../../ui/ItemLink.tsx'
import styles from '../activity.module.css'
import { fieldName, shownValue } from '../values.ts'

interface Props {
  values: Readonly<Record<string, unknown>>
  /** Items referenced by id in values. */
  items?: readonly Referred[] | undefined
  label?: string
  /** Collapsed until opened. */
  isClosed?: boolean
}

/** The arguments of a call, in words and raw. */
export function Given({
  values,
  items = [],
  label = t.activity.call.arguments,
  isClosed = false,
}: Props) {
  const [isRaw, { toggle }] = useDisclosure()
  const [isOpen, { toggle: toggleOpen }] = useDisclosure(!isClosed)
  const text = t.activity.call
  const entries = Object.entries(values)
  if (entries.length === 0) return <Text size="sm">{text.noArguments}</Text>
  return (
    <div>
      {isClosed && (
        <Button size="compact-xs" variant="subtle" onClick={toggleOpen} aria-expanded={isOpen}>
          {label}
        </Button>
      )}
      {isOpen && (
        <>
          <dl className={styles.values}>
            {entries.map(([name, value]) => (
              <div key={name} style={{ display: 'contents' }}>
                <dt>{fieldName(name)}</dt>
                <dd dir="auto">
                  <Value value={value} items={items} />
                </dd>
              </div>
            ))}
          </dl>
          <Button size="compact-xs" variant="subtle" mt={4} onClick={toggle} aria-expanded={isRaw}>
            {isRaw ? text.rawHide : text.raw}
          </Button>
          {isRaw && <Copyable text={JSON.stringify(values, null, 2)} label={label} />}
        </>
      )}
    </div>
  )
}

function Value({ value, items }: { value: unknown; items: readonly Referred[] }) {
  const ids = Array.isArray(value) ? value : [value]
  const referredItems = ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
  if (referredItems.length === 0 || referredItems.length < ids.length) return shownValue(value)
  return referredItems.map((item) => <ItemLink key={item.id} item={item} />)
}
