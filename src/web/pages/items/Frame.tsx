import { Alert, Grid, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../texts/index.ts'
import { ItemIcon, type ItemReference } from '../../ui/ItemLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { Ago } from '../../ui/times.tsx'
import { ItemViewers } from '../../ui/work/Lookers.tsx'
import { WaitingHere } from '../activity/approvals/WaitingHere.tsx'
import { NowStrip } from '../assistants/NowStrip.tsx'
import { ItemLinks } from './links/ItemLinks.tsx'
import { Side } from './Side.tsx'
import { isFields, textIn, type Fields } from './values.ts'

interface Props {
  type: string
  title: string
  /** The answer of the operation that reads the item: shows the author, and the JSON on request. */
  item: object
  /** The id by which others refer to it; undefined for kinds without references. */
  id?: string | undefined
  /** Part of the item to which links refer, if it is not the item itself. */
  linked?: ItemReference | undefined
  status?: ReactNode
  actions?: ReactNode
  /** Replaces the title, and contains the heading. */
  heading?: ReactNode
  /** Shown beside the content, above related items. */
  beside?: ReactNode
  /** True to show related items below the content if there is no room beside it. */
  isStacked?: boolean
  children: ReactNode
}

/** The page of an item: its header, its content, and related items beside it. */
export function ItemFrame({
  type,
  title,
  item,
  id,
  linked,
  status,
  actions,
  heading,
  beside,
  isStacked = false,
  children,
}: Props) {
  const fields = item as Fields
  return (
    <Page
      isWide
      title={title}
      crumb={
        <span className="crumb">
          <ItemIcon type={type} size={15} />
          {t.items.kind(type)}
          {textIn(fields.key) && <span className="figures">{textIn(fields.key)}</span>}
        </span>
      }
      description={<ItemByline fields={fields} status={status} />}
      actions={
        id === undefined ? (
          actions
        ) : (
          <>
            <ItemViewers itemId={id} />
            {actions}
          </>
        )
      }
      heading={heading}
    >
      {textIn(fields.deleted_at) && (
        <Alert color="yellow" icon={<IconTrash />}>
          {t.items.trashed}
        </Alert>
      )}
      {id !== undefined && <NowStrip itemId={id} />}
      {id !== undefined && <WaitingHere ids={[id]} />}
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: id === undefined || isStacked ? 12 : 8.5 }}>
          <Stack gap="lg">
            {children}
            <Raw item={item} />
          </Stack>
        </Grid.Col>
        {id !== undefined && (
          <Grid.Col span={{ base: 12, md: isStacked ? 12 : 3.5 }}>
            <Stack gap="lg">
              {beside}
              <ItemLinks item={linked ?? { id, title, key: textIn(fields.key) }} isBeside />
              <Side id={id} />
            </Stack>
          </Grid.Col>
        )}
      </Grid>
    </Page>
  )
}

function ItemByline({ fields, status }: { fields: Fields; status: ReactNode }) {
  const creatorName = isFields(fields.created_by) ? textIn(fields.created_by.title) : undefined
  return (
    <Group gap="xs">
      {status}
      {textIn(fields.updated_at ?? fields.created_at) && (
        <Text span size="sm">
          <Ago time={(fields.updated_at ?? fields.created_at) as string} />
          {creatorName && `, ${t.items.createdBy(creatorName)}`}
        </Text>
      )}
    </Group>
  )
}

/** The raw answer, which shows what assistants receive. */
function Raw({ item }: { item: object }) {
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <Stack gap="xs">
      <UnstyledButton onClick={toggle} aria-expanded={isOpen}>
        <Group gap={4} c="dimmed">
          {isOpen ? (
            <IconChevronDown size={14} aria-hidden />
          ) : (
            <IconChevronRight size={14} aria-hidden />
          )}
          <Text size="xs">{t.items.raw}</Text>
        </Group>
      </UnstyledButton>
      {isOpen && (
        <pre className="code" tabIndex={0} role="region" aria-label={t.items.raw}>
          {JSON.stringify(item, undefined, 2)}
        </pre>
      )}
    </Stack>
  )
}
