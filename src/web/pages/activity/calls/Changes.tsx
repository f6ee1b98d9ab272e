import { Text } from '@mantine/core'
import { activityTexts as t } from '../texts.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import styles from '../activity.module.css'
import type { FullCall } from './calls.ts'
import { fieldName, formatValue } from '../values.ts'

const maxFields = 12

export function ChangeList({
  changes,
  total,
}: {
  changes: NonNullable<FullCall['changes']>
  total: number
}) {
  const text = t.activity.call
  return (
    <>
      <ul className={styles.plain}>
        {changes.map(({ op, item, fields }, i) => (
          <li key={i}>
            <ItemLink item={item} />{' '}
            <Text span size="sm" c="dimmed">
              {text.ops[op] ?? op}
            </Text>
            {op === 'updated' && fields.length > 0 && (
              <dl className={styles.values}>
                {fields.slice(0, maxFields).map((field) => (
                  <div key={field.field} style={{ display: 'contents' }}>
                    <dt>{fieldName(field.field)}</dt>
                    <dd dir="auto">
                      <del className={styles.before}>{formatValue(field.from)}</del> →{' '}
                      {formatValue(field.to)}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
      {total > changes.length && (
        <Text size="xs" c="dimmed">
          {text.moreChanges(total - changes.length)}
        </Text>
      )}
    </>
  )
}
