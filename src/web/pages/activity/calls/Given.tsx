import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { activityTexts as t } from '../texts.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { ItemLink, type ItemReference } from '../../../ui/ItemLink.tsx'
import styles from '../activity.module.css'
import { fieldName, formatValue } from '../values.ts'

interface Props {
  values: Readonly<Record<string, unknown>>
  /** Items referenced by id in values. */
  items?: readonly ItemReference[] | undefined
  label?: string
  /** Shows a button that expands the arguments; they start collapsed. */
  isCollapsible?: boolean
}

/** The arguments of a call, formatted and as JSON. */
export function CallArguments({
  values,
  items = [],
  label = t.activity.call.arguments,
  isCollapsible = false,
}: Props) {
  const [isRaw, { toggle }] = useDisclosure()
  const [isOpen, { toggle: toggleOpen }] = useDisclosure(!isCollapsible)
  const text = t.activity.call
  const entries = Object.entries(values)
  if (entries.length === 0) return <Text size="sm">{text.noArguments}</Text>
  return (
    <div>
      {isCollapsible && (
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

function Value({ value, items }: { value: unknown; items: readonly ItemReference[] }) {
  const ids = Array.isArray(value) ? value : [value]
  const referredItems = ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
  if (referredItems.length === 0 || referredItems.length < ids.length) return formatValue(value)
  return referredItems.map((item) => <ItemLink key={item.id} item={item} />)
}
