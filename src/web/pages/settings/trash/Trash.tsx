import { Button, Group, NativeSelect } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useCall, useList } from '../../../api/queries.ts'
import { useSignedIn } from '../../../session/session.ts'
import { ItemIcon } from '../../../ui/ItemLink.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { ago, date } from '../../../ui/times.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { submitWork } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'

type TrashItem = Output<'list_trash'>['items'][number]
const words = t.trash

/** Kinds that the list can be filtered by, most common first. */
const kinds = [
  'task',
  'project',
  'page',
  'file',
  'milestone',
  'label',
  'goal',
  'meeting',
  'contact',
  'company',
  'deal',
  'form',
  'automation',
  'runbook',
  'service',
  'entity',
]

/** Trashed items, with the deleting person and time, restorable until their last day. */
export function Trash() {
  const { person } = useSignedIn()
  const [kind, setKind] = useState('')
  const [isMine, setMine] = useState(false)
  const trash = useList('list_trash', {
    limit: 50,
    ...(kind === '' ? {} : { type: [kind] }),
    ...(isMine ? { deleted_by: person.id } : {}),
  })
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  return (
    <Page title={words.title} about={words.about}>
      <Group gap="sm" align="end">
        <NativeSelect
          label={words.kind}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            ...kinds.map((value) => ({ value, label: t.items.kind(value) })),
          ]}
        />
        <NativeSelect
          label={words.by}
          value={isMine ? 'me' : ''}
          onChange={(event) => setMine(event.currentTarget.value === 'me')}
          data={[
            { value: '', label: words.anybody },
            { value: 'me', label: words.me },
          ]}
        />
      </Group>
      <Shown query={trash}>
        {() =>
          trash.items.length === 0 ? (
            <Empty
              icon={IconTrash}
              title={kind === '' && !isMine ? words.none : words.noneOfKind}
              text={words.noneText}
            />
          ) : (
            <div ref={list}>
              <Rows label={words.title}>
                {trash.items.map((entry) => (
                  <TrashEntry key={entry.item.id} entry={entry} />
                ))}
              </Rows>
              <More query={trash} />
            </div>
          )
        }
      </Shown>
    </Page>
  )
}

function TrashEntry({
  entry: { item, deleted_by, deleted_at, purge_at, parts },
}: {
  entry: TrashItem
}) {
  const restoring = useCall('restore_item', ['list_trash'])
  const restore = () =>
    void submitWork(() => restoring.mutateAsync({ item_id: item.id }), words.restored(item.title))
  const more = parts.reduce((sum, part) => sum + part.count, 0)
  return (
    <Row
      title={item.title}
      beside={
        <>
          <ItemIcon type={item.type} size={14} /> {t.items.kind(item.type)}
        </>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          data-row
          loading={restoring.isPending}
          aria-label={words.restoreNamed(item.title)}
          onClick={restore}
        >
          {words.restore}
        </Button>
      }
    >
      {[
        words.deleted(deleted_by?.title, ago(deleted_at)),
        words.until(date(purge_at)),
        ...(more === 0 ? [] : [words.parts(more)]),
      ].join(' · ')}
    </Row>
  )
}
