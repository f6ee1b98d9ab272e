import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconTag } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Output } from '../../../api/client.ts'
import { useCall, useList } from '../../../api/queries.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { Dot } from '../../../ui/work/states.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { runAction } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { LabelDialog } from './LabelDialog.tsx'

export type OrgLabel = Output<'list_labels'>['items'][number]
const texts = t.trash.labels

/** The labels of the organization: created, renamed, coloured and deleted. */
export function Labels() {
  const labels = useList('list_labels', { limit: 100 })
  const [isNew, newDialog] = useDisclosure()
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={newDialog.open}>
      {texts.create}
    </Button>
  )
  return (
    <Page title={texts.title} description={texts.about} actions={labels.items.length > 0 && add}>
      <QueryContent query={labels}>
        {() =>
          labels.items.length === 0 ? (
            <EmptyState icon={IconTag} title={texts.none} text={texts.noneText} action={add} />
          ) : (
            <div ref={list}>
              <Rows label={texts.title}>
                {labels.items.map((item) => (
                  <LabelEntry key={item.id} label={item} />
                ))}
              </Rows>
              <More query={labels} />
            </div>
          )
        }
      </QueryContent>
      {isNew && <LabelDialog close={newDialog.close} />}
    </Page>
  )
}

function LabelEntry({ label }: { label: OrgLabel }) {
  const [isEditing, editDialog] = useDisclosure()
  const deletion = useCall('delete_label', ['list_labels', 'list_trash'])
  const uses = Object.values(label.uses).reduce((sum, count) => sum + count, 0)
  const remove = async () => {
    const title = texts.question(label.name)
    if (!(await confirm({ title, text: texts.removeText(uses), action: texts.remove }))) return
    await runAction(() => deletion.mutateAsync({ label_id: label.id }), texts.removed(label.name))
  }
  return (
    <Row
      title={label.name}
      badge={<Dot color={label.color} />}
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            data-row
            onClick={editDialog.open}
            aria-label={texts.editNamed(label.name)}
          >
            {texts.edit}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => void remove()}
            aria-label={texts.removeNamed(label.name)}
          >
            {texts.remove}
          </Button>
        </>
      }
    >
      {label.description && <div dir="auto">{label.description}</div>}
      {texts.uses(uses)}
      {isEditing && <LabelDialog label={label} close={editDialog.close} />}
    </Row>
  )
}
