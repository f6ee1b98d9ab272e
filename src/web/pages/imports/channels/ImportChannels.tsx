import { channelImport as words } from '../../../texts/en/imports/channels.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import planning from '../../planning/planning.module.css'
import { ImportedItems } from '../MadeItems.tsx'
import { closeImport } from '../open.ts'
import { Remarks } from '../Remarks.tsx'
import { useImportRun } from '../run.ts'
import { RunView } from '../RunView.tsx'
import { useImportSource } from '../source.ts'
import { SourceFields } from '../SourceFields.tsx'
import { ChannelPlanView } from './ChannelPlanView.tsx'
import { channelsOutcome, channelsJobOutcome, fileIdOf } from './data.ts'

const noInlineText = () => Promise.resolve(undefined)

/** Imports channels from a Slack export, after a preview of the channels and their people. */
export function ImportChannels() {
  const source = useImportSource(noInlineText)
  const { run, begin, startOver } = useImportRun({
    operation: 'import_channels',
    source,
    outcomeOfCall: channelsOutcome,
    outcomeOfJob: channelsJobOutcome,
  })
  if (run)
    return (
      <RunView run={run} startOver={startOver}>
        {({ channels, skipped }) => (
          <>
            <ImportedItems items={channels} />
            <RouterLink to="/chat" onClick={closeImport}>
              {words.open}
            </RouterLink>
            <Remarks skipped={skipped} warnings={[]} advice={words.advice} />
          </>
        )}
      </RunView>
    )
  const chosenSource = source.source
  return (
    <div className={planning.form}>
      <SourceFields
        source={source}
        about={words.about}
        accept=".zip,application/zip"
        canPaste={false}
      />
      {chosenSource && (
        <ChannelPlanView
          key={chosenSource.serial}
          source={chosenSource}
          begin={(options) =>
            void begin({ file_id: fileIdOf(chosenSource), ...options }, chosenSource.name)
          }
        />
      )}
    </div>
  )
}
