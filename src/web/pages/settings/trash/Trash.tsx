import { Button, Group, NativeSelect } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useCall, useList } from '../../../api/queries.ts'
import { useSignedIn } from '../../../session/session.ts'
import { ItemIcon } from '../../../ui/ItemLink.tsx'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { ago, formatDate } from '../../../ui/times.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { runAction } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'

type TrashItem = Output<'list_trash'>['items'][number]
const texts = t.trash

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
    <Page title={texts.title} description={texts.about}>
      <Group gap="sm" align="end">
        <NativeSelect
          label={texts.kind}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
          data={[
            { value: '', label: texts.all },
            ...kinds.map((value) => ({ value, label: t.items.kind(value) })),
          ]}
        />
        <NativeSelect
          label={texts.by}
          value={isMine ? 'me' : ''}
          onChange={(event) => setMine(event.currentTarget.value === 'me')}
          data={[
            { value: '', label: texts.anybody },
            { value: 'me', label: texts.me },
          ]}
        />
      </Group>
      <QueryContent query={trash}>
        {() =>
          trash.items.length === 0 ? (
            <EmptyState
              icon={IconTrash}
              title={kind === '' && !isMine ? texts.none : texts.noneOfKind}
              text={texts.noneText}
            />
          ) : (
            <div ref={list}>
              <Rows label={texts.title}>
                {trash.items.map((entry) => (
                  <TrashEntry key={entry.item.id} entry={entry} />
                ))}
              </Rows>
              <More query={trash} />
            </div>
          )
        }
      </QueryContent>
    </Page>
  )
}

function TrashEntry({
  entry: { item, deleted_by, deleted_at, purge_at, parts },
}: {
  entry: TrashItem
}) {
  const restoration = useCall('restore_item', ['list_trash'])
  const restore = () =>
    void runAction(() => restoration.mutateAsync({ item_id: item.id }), texts.restored(item.title))
  const partCount = parts.reduce((sum, part) => sum + part.count, 0)
  return (
    <Row
      title={item.title}
      badge={
        <>
          <ItemIcon type={item.type} size={14} /> {t.items.kind(item.type)}
        </>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          data-row
          loading={restoration.isPending}
          aria-label={texts.restoreNamed(item.title)}
          onClick={restore}
        >
          {texts.restore}
        </Button>
      }
    >
      {[
        texts.deleted(deleted_by?.title, ago(deleted_at)),
        texts.until(formatDate(purge_at)),
        ...(partCount === 0 ? [] : [texts.parts(partCount)]),
      ].join(' · ')}
    </Row>
  )
}
