import { Anchor, Button, Collapse, Group, List, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { keyTexts as t } from '../texts.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import {
  fillSetup,
  matchesPlatform,
  type ClientSetup,
  type Content,
  type Platform,
  type Way,
} from './setups.ts'

interface Props {
  setup: ClientSetup
  platform: Platform
  placeholder: string
  secret: string | undefined
}

/** The ways to connect one program: the best one first, the others collapsed. */
export function ClientWays({
  setup: { title, ways, notes },
  platform,
  placeholder,
  secret,
}: Props) {
  const [first, ...others] = ways.map((way) =>
    secret === undefined ? way : fillSetup(way, placeholder, secret),
  )
  const name = (way: Way) => `${title}: ${way.title}`
  return (
    <Stack gap="sm">
      {secret === undefined && (
        <Text size="sm" c="dimmed">
          {t.keys.connect.placeholder(placeholder)}
        </Text>
      )}
      <WaySteps
        way={first!}
        name={name(first!)}
        program={title}
        platform={platform}
        hasKey={secret !== undefined}
      />
      {others.map((way) => (
        <Collapsible key={way.title} label={t.keys.connect.another(way.title)}>
          <WaySteps
            way={way}
            name={name(way)}
            program={title}
            platform={platform}
            hasKey={secret !== undefined}
          />
        </Collapsible>
      ))}
      <Collapsible label={t.keys.connect.notes}>
        <List size="sm" c="dimmed" spacing={4}>
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      </Collapsible>
    </Stack>
  )
}

function Collapsible({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <div>
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={isOpen}>
        {label}
      </Anchor>
      <Collapse expanded={isOpen} pt="xs">
        {children}
      </Collapse>
    </div>
  )
}

function WaySteps({
  way,
  name,
  program,
  platform,
  hasKey,
}: {
  way: Way
  name: string
  program: string
  platform: Platform
  hasKey: boolean
}) {
  return (
    <Stack gap="xs">
      <List type="ordered" size="sm" spacing={2}>
        {way.steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {way.contents
        .filter((content) => matchesPlatform(content, platform))
        .map((content, i) => (
          <WayContent key={i} content={content} name={name} platform={platform} />
        ))}
      {way.link && (
        <Group gap="sm">
          <Button
            component="a"
            href={way.link}
            variant="light"
            size="xs"
            leftSection={<IconExternalLink size={14} />}
          >
            {t.keys.connect.install(program)}
          </Button>
          {hasKey && (
            <Text size="xs" c="dimmed">
              {t.keys.connect.installHint}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  )
}

function WayContent({
  content,
  name,
  platform,
}: {
  content: Content
  name: string
  platform: Platform
}) {
  const text = t.keys.connect
  if (content.kind === 'values') {
    return content.values.map(({ label, text: value }) => (
      <div key={label}>
        <Caption>{label}</Caption>
        <Copyable text={value} label={`${name}, ${label}`} />
      </div>
    ))
  }
  return (
    <div>
      <Caption>
        {content.kind === 'command' ? text.command : text.file(content.paths[platform])}
      </Caption>
      <Copyable text={content.text} label={name} />
      {content.kind === 'file' && content.project && (
        <Caption>{text.project(content.project)}</Caption>
      )}
    </div>
  )
}

function Caption({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" py={2}>
      {children}
    </Text>
  )
}
