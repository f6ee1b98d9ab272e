import { Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { itemTypeOf } from '../../ui/kinds.ts'
import { Ago } from '../../ui/times.tsx'
import { FieldFacts } from './Facts.tsx'
import { Loaded } from './Found.tsx'
import { ItemFrame } from './Frame.tsx'

/** The history of an item that can no longer be read, such as one in the trash. */
export function History() {
  const { id } = useParams({ strict: false }) as { id: string }
  const activity = useOperation('list_activity', { item_id: id, limit: 50 })
  const type = itemTypeOf(id) ?? ''
  return (
    <Loaded query={activity}>
      {(answer) => (
        <ItemFrame
          type={type}
          title={answer.items.find((item) => item.item.id === id)?.item.title ?? t.items.kind(type)}
          item={answer}
          id={id}
        >
          <Text size="sm" c="dimmed">
            {answer.items.length === 0 ? t.items.none : t.items.history.about}
          </Text>
          <Stack component="ul" className="plain-list">
            {answer.items.map((entry) => (
              <li key={entry.id}>
                <Text size="sm">
                  {t.items.history.changed(entry.actor.title, entry.verb)} · <Ago time={entry.at} />
                </Text>
                {entry.item.id !== id && <ItemLink item={entry.item} />}
                <FieldFacts
                  item={Object.fromEntries(
                    entry.changes.map((change) => [change.field, change.to]),
                  )}
                />
              </li>
            ))}
          </Stack>
        </ItemFrame>
      )}
    </Loaded>
  )
}
