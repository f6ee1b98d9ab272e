import { Group, NativeSelect, Stack, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useEndpoint } from '../../../api/queries.ts'
import { keyTexts as t } from '../texts.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { ClientWays } from './ClientWays.tsx'
import { differsByPlatform, detectPlatform, platforms, type Platform } from './setups.ts'

/** Programs with a maximum number of tools: they get the most used ones. */
const limitedClients: readonly string[] = ['cursor', 'vscode', 'windsurf']
const presets = ['all', 'core', 'daily', 'compact'] as const
type Preset = (typeof presets)[number]

/** Setup instructions for each program, with the key filled in if known. */
export function Connect({ secret }: { secret?: string }) {
  const [client, setClient] = useState('claude-code')
  const [platform, setPlatform] = useState<Platform>(detectPlatform)
  const [chosenPreset, setChosenPreset] = useState<Preset>()
  const preset = chosenPreset ?? (limitedClients.includes(client) ? 'core' : 'all')
  const setupQuery = useEndpoint('/web/connect', preset === 'all' ? {} : { preset })
  const text = t.keys.connect
  return (
    <QueryContent query={setupQuery}>
      {({ clients, key_placeholder }) => {
        const selected = clients.find((clientSetup) => clientSetup.id === client) ?? clients[0]!
        return (
          <Tabs
            value={selected.id}
            onChange={(id) => id && setClient(id)}
            variant="pills"
            keepMounted={false}
          >
            <Tabs.List aria-label={text.programs}>
              {clients.map(({ id, title }) => (
                <Tabs.Tab key={id} value={id}>
                  {title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {clients.map((clientSetup) => (
              <Tabs.Panel key={clientSetup.id} value={clientSetup.id} pt="sm">
                <Stack gap="sm">
                  <Group gap="md" align="flex-end">
                    {clientSetup.ways.some(differsByPlatform) && (
                      <NativeSelect
                        size="xs"
                        label={text.platform}
                        data={platforms.map((value) => ({ value, label: text.platforms[value] }))}
                        value={platform}
                        onChange={(event) => setPlatform(event.currentTarget.value as Platform)}
                      />
                    )}
                    <NativeSelect
                      size="xs"
                      label={text.tools}
                      data={presets.map((value) => ({ value, label: text.presets[value] }))}
                      value={preset}
                      onChange={(event) => setChosenPreset(event.currentTarget.value as Preset)}
                    />
                  </Group>
                  <ClientWays
                    setup={clientSetup}
                    platform={platform}
                    placeholder={key_placeholder}
                    secret={secret}
                  />
                </Stack>
              </Tabs.Panel>
            ))}
          </Tabs>
        )
      }}
    </QueryContent>
  )
}
