import { Group, Text } from '@mantine/core'
import {
  IconAddressBook,
  IconAlarm,
  IconAlertOctagon,
  IconBolt,
  IconBuilding,
  IconCalendarEvent,
  IconCheckbox,
  IconClipboardList,
  IconFile,
  IconFileText,
  IconFlag,
  IconFolder,
  IconForms,
  IconGavel,
  IconHash,
  IconHeartbeat,
  IconHeartHandshake,
  IconKey,
  IconLink,
  IconMail,
  IconMessage,
  IconPhone,
  IconPoint,
  IconServer,
  IconRun,
  IconShare3,
  IconTag,
  IconTargetArrow,
  IconUser,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import { useContext, type CSSProperties, type MouseEvent } from 'react'
import { PeekContext } from './actions/peek-context.ts'
import { AppLink, appPath, isPlainClick } from './AppLink.tsx'
import { itemTypeOf, itemPathOf } from './kinds.ts'

const icons: Readonly<Record<string, Icon>> = {
  action_item: IconCheckbox,
  api_key: IconKey,
  automation: IconBolt,
  automation_run: IconBolt,
  calendar: IconCalendarEvent,
  channel: IconHash,
  company: IconBuilding,
  contact: IconAddressBook,
  deal: IconHeartHandshake,
  decision: IconGavel,
  email: IconMail,
  email_draft: IconMail,
  entity: IconShare3,
  event: IconCalendarEvent,
  file: IconFile,
  form: IconForms,
  form_response: IconForms,
  goal: IconTargetArrow,
  incident: IconAlertOctagon,
  interaction: IconPhone,
  label: IconTag,
  meeting: IconUsers,
  message: IconMessage,
  milestone: IconFlag,
  organization: IconBuilding,
  page: IconFileText,
  person: IconUser,
  project: IconFolder,
  pulse: IconHeartbeat,
  reminder: IconAlarm,
  runbook: IconClipboardList,
  scheduled_email: IconMail,
  service: IconServer,
  sprint: IconRun,
  task: IconCheckbox,
  team: IconUsers,
  thread: IconMail,
  link: IconLink,
}

/** Icon of an item's kind, or of the kind that an id reveals. */
export function ItemIcon({ type, size = 16 }: { type: string | undefined; size?: number }) {
  const Shape = icons[type ?? ''] ?? IconPoint
  return <Shape size={size} aria-hidden style={noShrink} />
}

const noShrink: CSSProperties = { flexShrink: 0 }

/** Reference to an item, as in operations; some omit `url`. */
export interface ItemReference {
  id: string
  title: string
  type?: string | undefined
  key?: string | undefined
  url?: string | undefined
}

/** A link to an item by name, which opens it beside the screen if a PeekContext is set. */
export function ItemLink({
  item,
  size = 'sm',
  withIcon = true,
  isRow = false,
}: {
  item: ItemReference
  size?: string
  withIcon?: boolean
  /** It is part of the list's keyboard navigation. */
  isRow?: boolean
}) {
  const peek = useContext(PeekContext)
  const to = item.url === undefined ? itemPathOf(item.id) : appPath(item.url)
  const name = (
    <>
      {item.key && (
        <Text span inherit c="dimmed" mr={6}>
          {item.key}
        </Text>
      )}
      <span dir="auto">{item.title || item.id}</span>
    </>
  )
  const handleClick = (event: MouseEvent) => {
    if (!peek || !isPlainClick(event)) return
    event.preventDefault()
    peek(item)
  }
  return (
    <Group gap={6} wrap="nowrap" align="center" display="inline-flex" maw="100%" mih={24}>
      {withIcon && <ItemIcon type={item.type ?? itemTypeOf(item.id)} />}
      {to === undefined ? (
        <Text span size={size} miw={0}>
          {name}
        </Text>
      ) : (
        <AppLink to={to} size={size} miw={0} data-row={isRow || undefined} onClick={handleClick}>
          {name}
        </AppLink>
      )}
    </Group>
  )
}
